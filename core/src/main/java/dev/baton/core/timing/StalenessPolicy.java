package dev.baton.core.timing;

import java.time.Duration;
import java.util.Optional;

/**
 * Times "nothing new from the holder" on the follower's own monotonic clock.
 *
 * <p>INV-7: only a revision that stayed the same for the whole delay, as seen by this follower, may be replaced, and
 * the takeover is a compare-and-set on exactly that revision. No two clocks are ever compared.
 */
public record StalenessPolicy(Duration takeoverDelay) {

    /** A revision, and since when this follower has seen no other. */
    public record Sighting(long revision, long sinceNanos) {}

    /** Takes note of what was just read. */
    public Sighting seen(Optional<Sighting> before, long revision, long nowNanos) {
        return before.filter(sighting -> sighting.revision() == revision)
                .orElseGet(() -> new Sighting(revision, nowNanos));
    }

    public boolean isStale(Sighting sighting, long nowNanos) {
        return nowNanos - sighting.sinceNanos() > takeoverDelay.toNanos();
    }
}
