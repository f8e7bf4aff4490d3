package dev.baton.authority.etcd.wire;

/** What became of a request. */
public sealed interface Reply<R> {

    /**
     * etcd answered.
     *
     * @param sentNanos the monotonic time just before that request was sent
     */
    record Got<R>(R value, long sentNanos) implements Reply<R> {}

    /**
     * etcd said no.
     *
     * @param afterLoss whether an earlier copy of the request was lost, and may still take effect
     */
    record Refused<R>(Refusal refusal, String why, boolean afterLoss) implements Reply<R> {}

    /** It never left this process: no member could be connected to. */
    record Unsent<R>(String why) implements Reply<R> {}

    /** It was sent and not answered in time: it may take effect, now or later. */
    record Lost<R>(String why) implements Reply<R> {}

    /** What stands against a good answer, for people. */
    static <R> String trouble(Reply<R> reply) {
        return switch (reply) {
            case Got<R> got -> "answered " + got.value();
            case Refused<R> refused -> refused.why();
            case Unsent<R> unsent -> unsent.why();
            case Lost<R> lost -> lost.why();
        };
    }
}
