package dev.baton.duty.sequencer;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What can be configured about the sequencer. How often a block is made is the seat's pulse interval, not set here.
 *
 * @param maxBlockBytes how large a block's body may become
 * @param maxTransactionBytes a larger transaction is refused
 * @param maxPending how many transactions may wait for a block
 * @param maxPendingBytes how many bytes of transactions may wait for a block
 * @param duplicateWindow a transaction is recognised as a duplicate while fewer than so many later ones are committed
 * @param checkpointEvery how many blocks lie between two checkpoints in the ledger
 * @param gossipSyncEvery a follower syncs its disk after so many blocks from the holder; what a crash takes away is
 *     read again from the ledger
 * @param segmentBytes how large a file of the block store becomes
 * @param availabilityBatch how many blocks at most are published at once
 * @param availabilityRetry how long to wait after publishing failed
 * @param reconnectAfter the mean time before a follower asks the holder again after its stream ended
 * @param peerTimeout how long one question to a peer may take
 * @param forward whether a node that does not hold the seat forwards submissions to the holder
 */
public record SequencerSettings(
        int maxBlockBytes,
        int maxTransactionBytes,
        int maxPending,
        long maxPendingBytes,
        int duplicateWindow,
        int checkpointEvery,
        int gossipSyncEvery,
        long segmentBytes,
        int availabilityBatch,
        Duration availabilityRetry,
        Duration reconnectAfter,
        Duration peerTimeout,
        boolean forward) {

    public static final SequencerSettings DEFAULT = new SequencerSettings(
            512 << 10,
            128 << 10,
            20_000,
            64L << 20,
            100_000,
            1000,
            1,
            64L << 20,
            256,
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            true);

    /** Room in a block for everything but transactions. */
    static final int BODY_OVERHEAD = 256;

    public SequencerSettings withForward(boolean forward) {
        return new SequencerSettings(
                maxBlockBytes,
                maxTransactionBytes,
                maxPending,
                maxPendingBytes,
                duplicateWindow,
                checkpointEvery,
                gossipSyncEvery,
                segmentBytes,
                availabilityBatch,
                availabilityRetry,
                reconnectAfter,
                peerTimeout,
                forward);
    }

    /** Sizes that tests and small machines change together. */
    public SequencerSettings withLimits(int maxBlockBytes, int maxTransactionBytes, int maxPending) {
        return new SequencerSettings(
                maxBlockBytes,
                maxTransactionBytes,
                maxPending,
                maxPendingBytes,
                duplicateWindow,
                checkpointEvery,
                gossipSyncEvery,
                segmentBytes,
                availabilityBatch,
                availabilityRetry,
                reconnectAfter,
                peerTimeout,
                forward);
    }

    public SequencerSettings withCheckpointEvery(int blocks) {
        return new SequencerSettings(
                maxBlockBytes,
                maxTransactionBytes,
                maxPending,
                maxPendingBytes,
                duplicateWindow,
                blocks,
                gossipSyncEvery,
                segmentBytes,
                availabilityBatch,
                availabilityRetry,
                reconnectAfter,
                peerTimeout,
                forward);
    }

    /** Everything wrong with these settings; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        atLeastOne(faults, prefix + "max-transaction-bytes", maxTransactionBytes);
        atLeastOne(faults, prefix + "max-pending", maxPending);
        atLeastOne(faults, prefix + "duplicate-window", duplicateWindow);
        atLeastOne(faults, prefix + "checkpoint-every", checkpointEvery);
        atLeastOne(faults, prefix + "gossip-sync-every", gossipSyncEvery);
        atLeastOne(faults, prefix + "segment-bytes", segmentBytes);
        atLeastOne(faults, prefix + "availability-batch", availabilityBatch);
        positive(faults, prefix + "availability-retry", availabilityRetry);
        positive(faults, prefix + "reconnect-after", reconnectAfter);
        positive(faults, prefix + "peer-timeout", peerTimeout);
        // A block of the largest transaction alone must be possible, or that transaction would wait for ever.
        long smallestBlock = (long) maxTransactionBytes + BODY_OVERHEAD;
        if (maxBlockBytes < smallestBlock) {
            faults.add(new Fault(
                    prefix + "max-block-bytes",
                    Integer.toString(maxBlockBytes),
                    smallestBlock + " or more, because a transaction may have " + maxTransactionBytes + " bytes"));
        }
        if (maxBlockBytes > LARGEST_BLOCK) {
            faults.add(new Fault(
                    prefix + "max-block-bytes",
                    Integer.toString(maxBlockBytes),
                    LARGEST_BLOCK + " or less, because peers take messages of 4 MiB"));
        }
        if (maxPendingBytes < maxTransactionBytes) {
            faults.add(new Fault(
                    prefix + "max-pending-bytes",
                    Long.toString(maxPendingBytes),
                    maxTransactionBytes + " or more, the size of the largest transaction"));
        }
        return List.copyOf(faults);
    }

    private static final int LARGEST_BLOCK = 3 << 20;

    private static void atLeastOne(List<Fault> faults, String key, long value) {
        if (value < 1) {
            faults.add(new Fault(key, Long.toString(value), "1 or more"));
        }
    }

    private static void positive(List<Fault> faults, String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            faults.add(new Fault(key, value.toString(), "longer than PT0S"));
        }
    }
}
