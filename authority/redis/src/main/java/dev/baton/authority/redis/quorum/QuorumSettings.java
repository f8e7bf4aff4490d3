package dev.baton.authority.redis.quorum;

import java.time.Duration;

/**
 * How patient a seat over several nodes is.
 *
 * @param lease how long a holder keeps the seat without an append
 * @param attempts how often a promotion is tried when candidates get in each other's way
 * @param retry the pause between two attempts, to which up to {@code retryJitter} is added
 * @param poll how often the nodes are looked at, to which up to {@code pollJitter} is added: an event that was missed
 *     costs no more than both
 */
public record QuorumSettings(
        Duration lease, int attempts, Duration retry, Duration retryJitter, Duration poll, Duration pollJitter) {

    public static final QuorumSettings DEFAULT = new QuorumSettings(
            Duration.ofSeconds(2),
            3,
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofMillis(200));

    public QuorumSettings withLease(Duration other) {
        return new QuorumSettings(other, attempts, retry, retryJitter, poll, pollJitter);
    }
}
