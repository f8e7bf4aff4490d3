package dev.baton.chaos.history;

/**
 * A request together with how it ended for its client.
 *
 * @param answeredNanos when it ended; {@link #NEVER} if no answer was recorded, which counts as unknown
 */
public record Operation(
        long op, String client, String node, Request request, long invokedNanos, long answeredNanos, Answer answer) {

    public static final long NEVER = Long.MAX_VALUE;

    public boolean isAnswered() {
        return answeredNanos != NEVER;
    }

    public boolean isOk() {
        return answer.outcome() == Answer.Outcome.OK;
    }

    /** How long the client waited; only for operations that were answered. */
    public long latencyNanos() {
        return answeredNanos - invokedNanos;
    }
}
