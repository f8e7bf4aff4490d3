package dev.baton.node;

import dev.baton.core.standing.Readiness;
import dev.baton.duty.DecoratedDuty;
import dev.baton.duty.Duty;
import java.util.Optional;
import java.util.function.Supplier;

/** A duty that also needs the node's consent to lead: a node that disagrees with its peers must not. */
final class GuardedDuty extends DecoratedDuty {

    private final Supplier<Optional<String>> objection;

    GuardedDuty(Duty duty, Supplier<Optional<String>> objection) {
        super(duty);
        this.objection = objection;
    }

    @Override
    public Readiness readiness() {
        Readiness own = super.readiness();
        return own.isReady()
                ? objection.get().<Readiness>map(Readiness.NotReady::new).orElse(own)
                : own;
    }
}
