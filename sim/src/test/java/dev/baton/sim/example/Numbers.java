package dev.baton.sim.example;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;
import java.util.function.BiConsumer;

/** Gives out the numbers 1, 2, 3 … one with each entry. What was given is in the ledger, and only there. */
class Numbers implements Duty {

    private final BiConsumer<Long, Entry> give;
    private Height applied = Height.ZERO;
    private long last;

    Numbers(BiConsumer<Long, Entry> give) {
        this.give = give;
    }

    @Override
    public Draft draft(Tenure tenure) {
        return Draft.of(Bytes.utf8(Long.toString(last + 1)));
    }

    @Override
    public void release(Tenure tenure, Entry entry) {
        give.accept(numberIn(entry), entry);
        learn(entry);
    }

    @Override
    public void apply(List<Entry> entries) {
        entries.forEach(this::learn);
    }

    void learn(Entry entry) {
        last = numberIn(entry);
        applied = entry.height();
    }

    void skip(Entry entry) {
        applied = entry.height();
    }

    private static long numberIn(Entry entry) {
        return Long.parseLong(entry.payload().toUtf8());
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_LEDGER;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Ready();
    }

    @Override
    public void catchUp(Height oldest) {
        throw new IllegalStateException("a ledger without checkpoints is never trimmed");
    }

    @Override
    public void assume(Tenure tenure) {}

    @Override
    public void relinquish(Tenure tenure, String why) {}

    @Override
    public void probe() {}
}
