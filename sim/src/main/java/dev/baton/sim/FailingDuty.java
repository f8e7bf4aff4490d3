package dev.baton.sim;

import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.duty.DecoratedDuty;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A duty whose calls fail now and then, before or after they had their effect. */
final class FailingDuty extends DecoratedDuty {

    private final BooleanSupplier fails;

    FailingDuty(Duty duty, BooleanSupplier fails) {
        super(duty);
        this.fails = fails;
    }

    private void mayFail(String what) {
        if (fails.getAsBoolean()) {
            throw new IllegalStateException("simulated failure to " + what);
        }
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        mayFail("apply");
        super.apply(entries);
    }

    @Override
    public void catchUp(Height oldest) throws Exception {
        mayFail("catch up");
        super.catchUp(oldest);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        mayFail("assume");
        super.assume(tenure);
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        mayFail("draft");
        return super.draft(tenure);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        mayFail("begin to release");
        super.release(tenure, entry);
        mayFail("end the release");
    }

    @Override
    public void probe() throws Exception {
        mayFail("probe");
        super.probe();
    }
}
