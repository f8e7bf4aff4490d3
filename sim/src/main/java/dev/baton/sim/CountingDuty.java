package dev.baton.sim;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;
import java.util.Optional;

/** A duty that only counts, and tells the judge everything. It keeps nothing over a restart. */
final class CountingDuty implements Duty {

    private final Holder self;
    private final Judge judge;
    private Height applied = Height.ZERO;
    private long drafts;

    CountingDuty(Holder self, Judge judge, World world) {
        this.self = self;
        this.judge = judge;
    }

    @Override
    public Fencing fencing() {
        return Fencing.AT_LEDGER;
    }

    @Override
    public Height applied() {
        return applied;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Ready();
    }

    @Override
    public void apply(List<Entry> entries) {
        for (Entry entry : entries) {
            if (!entry.height().equals(applied.next())) {
                throw new IllegalStateException(self + " is at " + applied + " and was given " + entry);
            }
            judge.committed(entry);
            applied = entry.height();
        }
    }

    @Override
    public void catchUp(Height oldest) {
        throw new IllegalStateException("nothing is trimmed here, but the ledger begins at " + oldest);
    }

    @Override
    public void holderChanged(Optional<Seating> holder) {}

    @Override
    public void assume(Tenure tenure) {
        judge.assumed(tenure.term(), tenure.head());
    }

    @Override
    public Draft draft(Tenure tenure) {
        judge.acted(tenure.term());
        drafts++;
        return Draft.of(Bytes.utf8(self + "/" + drafts));
    }

    @Override
    public void release(Tenure tenure, Entry entry) {
        judge.released(tenure.term(), entry);
        applied = entry.height();
    }

    @Override
    public void relinquish(Tenure tenure, String why) {}

    @Override
    public void probe() {}
}
