package dev.baton.client;

/**
 * What a client has done since it was built.
 *
 * @param tokens handed to callers
 * @param requests answered or failed as a whole, each with an id of its own; a batch is one
 * @param attempts how often a request or a stream was sent
 * @param retries attempts after a failure, with the same id
 * @param redirects attempts at a holder that another node had named
 * @param failures requests that failed for good
 * @param staleAnswers answers that were not passed on, see {@link StaleAnswerException}
 * @param tokensUnused received, but nobody wanted them any more: gaps
 * @param callersTimedOut single callers whose time was up
 * @param refusedByBreaker requests that failed without being sent
 * @param waiting callers whose request has not been sent yet
 * @param breaker its state now
 * @param address of the node that is asked now
 */
public record ClientStatistics(
        long tokens,
        long requests,
        long attempts,
        long retries,
        long redirects,
        long failures,
        long staleAnswers,
        long tokensUnused,
        long callersTimedOut,
        long refusedByBreaker,
        long waiting,
        BreakerState breaker,
        String address) {

    /** What the circuit breaker lets through. */
    public enum BreakerState {
        /** Everything. */
        CLOSED,
        /** Nothing: calls fail at once. */
        OPEN,
        /** A few, to see whether the service is back. */
        HALF_OPEN
    }
}
