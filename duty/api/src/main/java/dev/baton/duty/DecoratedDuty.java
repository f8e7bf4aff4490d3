package dev.baton.duty;

import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.core.standing.Readiness;
import java.util.List;
import java.util.Optional;

/** A duty with something in front of it; by itself it passes everything on. */
public abstract class DecoratedDuty implements Duty {

    private final Duty duty;

    protected DecoratedDuty(Duty duty) {
        this.duty = duty;
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
    public Readiness readiness() {
        return duty.readiness();
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
