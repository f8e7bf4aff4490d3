package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A duty that also needs the node's consent to lead: a node that disagrees with its peers must not. */
final class GuardedDuty implements Duty {

    private final Duty duty;
    private final Supplier<Optional<String>> objection;

    GuardedDuty(Duty duty, Supplier<Optional<String>> objection) {
        this.duty = duty;
        this.objection = objection;
    }

    @Override
    public Readiness readiness() {
        Readiness own = duty.readiness();
        return own.isReady()
                ? objection.get().<Readiness>map(Readiness.NotReady::new).orElse(own)
                : own;
    }

    @Override
    public Fencing fencing() {
        return duty.fencing();
    }

    @Override
    public Height applied() {
        return duty.applied();
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        duty.apply(entries);
    }

    @Override
    public void catchUp(Height oldest) throws Exception {
        duty.catchUp(oldest);
    }

    @Override
    public void holderChanged(Optional<Seating> holder) {
        duty.holderChanged(holder);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        duty.assume(tenure);
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        return duty.draft(tenure);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        duty.release(tenure, entry);
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        duty.relinquish(tenure, why);
    }

    @Override
    public void probe() throws Exception {
        duty.probe();
    }
}
