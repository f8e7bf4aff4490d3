package dev.baton.authority.nats.wire;

/** What became of a request. */
public sealed interface Reply<R> {

    /**
     * A server answered.
     *
     * @param sentNanos the monotonic time just before the first copy of the request was sent
     */
    record Got<R>(R value, long sentNanos) implements Reply<R> {}

    /**
     * JetStream said no.
     *
     * @param afterLoss whether an earlier copy of the request was lost, and may still take effect
     * @param sentNanos the monotonic time just before the first copy of the request was sent
     */
    record Refused<R>(Refusal refusal, String why, boolean afterLoss, long sentNanos) implements Reply<R> {}

    /** It never reached a stream: no server could be connected to, or nobody there answers for the stream. */
    record Unsent<R>(String why) implements Reply<R> {}

    /**
     * It was sent and not answered in time: it may take effect, now or later.
     *
     * @param sentNanos the monotonic time just before the first copy of the request was sent
     */
    record Lost<R>(String why, long sentNanos) implements Reply<R> {}

    /** What stands against a good answer, for people. */
    static <R> String trouble(Reply<R> reply) {
        return switch (reply) {
            case Got<R> got -> "answered " + got.value();
            case Refused<R> refused -> refused.why();
            case Unsent<R> unsent -> unsent.why();
            case Lost<R> lost -> lost.why();
        };
    }

    /** The same bad news for somebody who waits for another type; a good answer has no such form. */
    static <R, S> Reply<S> passOn(Reply<R> reply) {
        return switch (reply) {
            case Got<R> got -> throw new IllegalStateException("not bad news: " + got);
            case Refused<R> refused ->
                new Refused<>(refused.refusal(), refused.why(), refused.afterLoss(), refused.sentNanos());
            case Unsent<R> unsent -> new Unsent<>(unsent.why());
            case Lost<R> lost -> new Lost<>(lost.why(), lost.sentNanos());
        };
    }
}
