package dev.baton.duty.mempool;

import dev.baton.core.timing.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * The pool's own rules; all nodes that share a pool must have the same.
 *
 * @param finalizeAfter a transaction is final with so many confirmations
 * @param dropAfter a transaction in flight is dropped when so many blocks came without it
 * @param maxPayloadBytes a larger transaction is refused
 * @param maxPending a submission is refused while so many are pending
 * @param maxFinalized so many finalized and dropped ones are remembered
 * @param maxEvents so many steps of events are kept for subscribers, about
 * @param maxRollback so many blocks can be taken back
 * @param sliceSize how many transactions one step of a block looks at, so that nobody else waits long
 */
public record MempoolLimits(
        int finalizeAfter,
        int dropAfter,
        int maxPayloadBytes,
        long maxPending,
        int maxFinalized,
        int maxEvents,
        int maxRollback,
        int sliceSize) {

    public static final MempoolLimits DEFAULT =
            new MempoolLimits(6, 2, 64 << 10, 2_000_000, 10_000, 100_000, 2160, 100);

    public static final int MOST_CONFLICT_KEYS = 256;
    public static final int LARGEST_CONFLICT_KEY = 64;
    public static final int LARGEST_PAGE = 1000;

    public MempoolLimits withThresholds(int finalizeAfter, int dropAfter) {
        return new MempoolLimits(
                finalizeAfter, dropAfter, maxPayloadBytes, maxPending, maxFinalized, maxEvents, maxRollback, sliceSize);
    }

    public MempoolLimits withMaxFinalized(int maxFinalized) {
        return new MempoolLimits(
                finalizeAfter, dropAfter, maxPayloadBytes, maxPending, maxFinalized, maxEvents, maxRollback, sliceSize);
    }

    public MempoolLimits withMaxPending(long maxPending) {
        return new MempoolLimits(
                finalizeAfter, dropAfter, maxPayloadBytes, maxPending, maxFinalized, maxEvents, maxRollback, sliceSize);
    }

    public MempoolLimits withMaxEvents(int maxEvents) {
        return new MempoolLimits(
                finalizeAfter, dropAfter, maxPayloadBytes, maxPending, maxFinalized, maxEvents, maxRollback, sliceSize);
    }

    public MempoolLimits withSliceSize(int sliceSize) {
        return new MempoolLimits(
                finalizeAfter, dropAfter, maxPayloadBytes, maxPending, maxFinalized, maxEvents, maxRollback, sliceSize);
    }

    /** Everything wrong with these; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        between(faults, prefix + "finalize-after", finalizeAfter, 1, 1_000_000);
        between(faults, prefix + "drop-after", dropAfter, 1, 1_000_000);
        between(faults, prefix + "max-payload-bytes", maxPayloadBytes, 1, 16 << 20);
        between(faults, prefix + "max-pending", maxPending, 1, 1L << 40);
        between(faults, prefix + "max-finalized", maxFinalized, 1, 100_000_000);
        between(faults, prefix + "max-events", maxEvents, 1, 100_000_000);
        between(faults, prefix + "max-rollback", maxRollback, 1, 1_000_000);
        if (finalizeAfter > maxRollback) {
            // What is not final yet may be asked for with its block, and rolled back with it.
            faults.add(new Fault(
                    prefix + "finalize-after", Integer.toString(finalizeAfter), "at most max-rollback " + maxRollback));
        }
        // Scripts pass a slice on in one command, and Lua hands over less than 8,000 values at once.
        between(faults, prefix + "slice-size", sliceSize, 1, 1000);
        return List.copyOf(faults);
    }

    private static void between(List<Fault> faults, String key, long value, long least, long most) {
        if (value < least || value > most) {
            faults.add(new Fault(key, Long.toString(value), least + " to " + most));
        }
    }
}
