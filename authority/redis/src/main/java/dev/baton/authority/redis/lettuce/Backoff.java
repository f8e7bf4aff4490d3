package dev.baton.authority.redis.lettuce;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the next try: twice as long each time, up to a bound, and never in step with others. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final RandomGenerator random;
    private Duration next = FIRST;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    Duration next() {
        Duration wait = next.plusMillis(random.nextLong(next.toMillis() / 2 + 1));
        Duration twice = next.multipliedBy(2);
        next = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
        return wait;
    }

    void reset() {
        next = FIRST;
    }
}
