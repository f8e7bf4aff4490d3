package dev.baton.core.timing;

/**
 * How many failed pulses in a row cost the seat, and how many successes in a row earn the right to try again.
 *
 * <p>One success resets the failures and the other way round.
 */
public record PulsePolicy(int failureThreshold, int successThreshold) {

    /** Two failures fence, two successes un-fence. */
    public static final PulsePolicy DEFAULT = new PulsePolicy(2, 2);

    /** Gives up at the slightest failure and comes back as fast: for flawless networks only. */
    public static final PulsePolicy NERVOUS = new PulsePolicy(1, 1);

    /** Rides out long bad patches, and therefore fails over late. */
    public static final PulsePolicy TANK = new PulsePolicy(10, 1);

    /** Hard to kill and hard to bring back: no yo-yo. */
    public static final PulsePolicy STICKY = new PulsePolicy(5, 5);

    public PulsePolicy {
        if (failureThreshold < 1 || successThreshold < 1) {
            throw new IllegalArgumentException("pulse thresholds: " + failureThreshold + " failures, "
                    + successThreshold + " successes (expected: 1 or more of each)");
        }
    }

    public boolean fences(PulseCount count) {
        return count.failures() >= failureThreshold;
    }

    public boolean unfences(PulseCount count) {
        return count.successes() >= successThreshold;
    }
}
