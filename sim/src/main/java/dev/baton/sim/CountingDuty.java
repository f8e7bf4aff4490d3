package dev.baton.sim;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;

/**
 * A duty that only counts. It keeps nothing over a restart, so its checkpoints say nothing but how far it was; they let
 * the ledger be trimmed.
 */
final class CountingDuty implements Duty {

    private static final int CHECKPOINT_EACH = 10;

    private final String self;
    private Height applied = Height.ZERO;
    private long drafts;

    CountingDuty(Holder self) {
        this.self = self.toString();
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
            applied = entry.height();
        }
    }

    /** Whatever lies before is in the checkpoint with which a trimmed ledger begins. */
    @Override
    public void catchUp(Height oldest) {
        applied = new Height(oldest.value() - 1);
    }

    @Override
    public void assume(Tenure tenure) {}

    @Override
    public Draft draft(Tenure tenure) {
        drafts++;
        Bytes payload = Bytes.utf8(self + "/" + drafts);
        Height head = tenure.head().height();
        return head.value() % CHECKPOINT_EACH == 0
                ? new Draft(payload, List.of(new Fact.Checkpoint(head, 1, 1, Bytes.EMPTY)))
                : Draft.of(payload);
    }

    @Override
    public void release(Tenure tenure, Entry entry) {
        applied = entry.height();
    }

    @Override
    public void relinquish(Tenure tenure, String why) {}

    @Override
    public void probe() {}
}
