package dev.baton.sim;

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
import java.util.function.BooleanSupplier;

/** A duty whose calls fail now and then, before or after they had their effect. */
final class FailingDuty implements Duty {

    private final Duty duty;
    private final BooleanSupplier fails;

    FailingDuty(Duty duty, BooleanSupplier fails) {
        this.duty = duty;
        this.fails = fails;
    }

    private void mayFail(String what) {
        if (fails.getAsBoolean()) {
            throw new IllegalStateException("simulated failure to " + what);
        }
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
        mayFail("apply");
        duty.apply(entries);
    }

    @Override
    public void catchUp(Height oldest) throws Exception {
        mayFail("catch up");
        duty.catchUp(oldest);
    }

    @Override
    public void holderChanged(Optional<Seating> holder) {
        duty.holderChanged(holder);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        mayFail("assume");
        duty.assume(tenure);
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        mayFail("draft");
        return duty.draft(tenure);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        mayFail("begin to release");
        duty.release(tenure, entry);
        mayFail("end the release");
    }

    @Override
    public void relinquish(Tenure tenure, String why) {
        duty.relinquish(tenure, why);
    }

    @Override
    public void probe() throws Exception {
        mayFail("probe");
        duty.probe();
    }
}
