package dev.baton.chaos.plan;

/** One round of faults in time: all of them are in force at its middle, and none at its end. */
final class Round {

    private final long beginNanos;
    private final long lengthNanos;
    private final long leaseNanos;
    private final Dice dice;

    Round(long beginNanos, long lengthNanos, long leaseNanos, Dice dice) {
        this.beginNanos = beginNanos;
        this.lengthNanos = lengthNanos;
        this.leaseNanos = leaseNanos;
        this.dice = dice;
    }

    /** A fault of this kind somewhere in the round. */
    PlannedFault fault(FaultKind kind, Targets targets) {
        long begin = beginNanos + percentOf(dice.between(0, 35));
        long end = beginNanos + percentOf(dice.between(45, 80));
        if (kind == FaultKind.PAUSE && dice.oneIn(2)) {
            // A process that wakes after its lease must find itself replaced: the fault that fencing is for.
            begin = Math.min(begin, beginNanos + percentOf(5));
            end = Math.max(end, Math.min(begin + leaseNanos + leaseNanos / 4, beginNanos + percentOf(85)));
        }
        Targets.Strike strike = targets.of(kind);
        return new PlannedFault(0, begin, end - begin, kind, strike.targets(), strike.parameters());
    }

    private long percentOf(long percent) {
        return lengthNanos / 100 * percent;
    }
}
