package dev.baton.duty.sequencer.availability;

import dev.baton.core.Height;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How publishing goes on this node.
 *
 * @param safeHead the highest published block
 * @param lastLatency how long the last batch took, zero before the first
 * @param failures how often publishing failed since this node started
 */
public record Publishing(
        Height safeHead,
        long layerHeight,
        Duration lastLatency,
        long failures,
        @Nullable String lastFailureOrNull) {

    /** Why publishing failed the last time; empty when it went well since. */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailureOrNull);
    }
}
