package dev.baton.authority.nats.seat;

import dev.baton.core.timing.StalenessPolicy;
import java.util.Optional;

/**
 * The newest that this process has seen of one seat. Thread-safe.
 *
 * <p>It only ever moves forward: a server that lags behind is not believed, so whatever was reported once stays true.
 */
final class Knowledge {

    private final StalenessPolicy policy;
    private Optional<Observation> newest = Optional.empty();

    Knowledge(StalenessPolicy policy) {
        this.policy = policy;
    }

    StalenessPolicy policy() {
        return policy;
    }

    synchronized Optional<Observation> newest() {
        return newest;
    }

    synchronized Sight sight() {
        return newest.map(Observation::sight).orElse(Sight.NOTHING);
    }

    /**
     * Takes note of what was read or written.
     *
     * @param askedNanos the time just before the question was sent: it was so no earlier than then
     */
    synchronized Observation learn(Sight seen, long askedNanos) {
        Observation before = newest.orElse(null);
        if (before != null && seen.tip() < before.sight().tip()) {
            return before;
        }
        // Timed from now, after the answer: the message cannot have been written later than that.
        StalenessPolicy.Sighting sighting =
                policy.seen(newest.map(Observation::sighting), seen.at(), System.nanoTime());
        long confirmedNanos =
                before == null || askedNanos - before.confirmedNanos() > 0 ? askedNanos : before.confirmedNanos();
        Observation now = new Observation(seen, sighting, confirmedNanos);
        newest = Optional.of(now);
        return now;
    }
}
