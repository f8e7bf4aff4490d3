package dev.baton.duty.sequencer;

import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the sequencer on this node is doing, at one moment.
 *
 * @param head the last committed block that this node knows (the unsafe head)
 * @param headTimeMillis that block's time, zero before the first
 * @param origin the data-availability position that this block names
 * @param safeHead the highest published block
 * @param layerHeight how many batches the data-availability layer holds
 * @param publishLatency how long the last batch took this node
 * @param publishFailures how often this node failed to publish
 * @param transactions all transactions in the chain
 * @param pending transactions that wait for a block
 * @param unsigned blocks whose signature this node lacks
 * @param produced blocks that this node made since it started
 * @param followers streams of blocks to other nodes that are open now
 */
public record SequencerStatistics(
        Head head,
        long headTimeMillis,
        String origin,
        Hash stateRoot,
        Height safeHead,
        long layerHeight,
        Duration publishLatency,
        long publishFailures,
        @Nullable String publishFailureOrNull,
        long transactions,
        int pending,
        long pendingBytes,
        int unsigned,
        long produced,
        int followers) {

    /** How many committed blocks are not published yet. */
    public long backlog() {
        return Math.max(0, head.height().value() - safeHead.value());
    }

    /** Why publishing failed the last time; empty when it went well since. */
    public Optional<String> publishFailure() {
        return Optional.ofNullable(publishFailureOrNull);
    }

    public SequencerStatistics withFollowers(int count) {
        return new SequencerStatistics(
                head,
                headTimeMillis,
                origin,
                stateRoot,
                safeHead,
                layerHeight,
                publishLatency,
                publishFailures,
                publishFailureOrNull,
                transactions,
                pending,
                pendingBytes,
                unsigned,
                produced,
                count);
    }
}
