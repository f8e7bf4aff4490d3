package dev.baton.client;

import dev.baton.wire.token.v1.TokenRequest;
import java.util.function.Consumer;

/** One request for tokens, however often it is sent: its id stays the same, so that it is answered once. */
final class Request {

    /** What came of it; told exactly once, on a thread that may block. */
    interface Outcome {
        void answered(TokenRange range);

        void failed(TokenException why);
    }

    final TokenRequest message;
    final long deadlineNanos;
    final OrderGuard guard;
    final OrderGuard.Mark mark;
    final Tries tries;
    private final Outcome outcome;
    private final Consumer<Request> atEnd;

    Request(
            TokenRequest message,
            long deadlineNanos,
            OrderGuard guard,
            Tries tries,
            Outcome outcome,
            Consumer<Request> atEnd) {
        this.message = message;
        this.deadlineNanos = deadlineNanos;
        this.guard = guard;
        this.mark = guard.depart();
        this.tries = tries;
        this.outcome = outcome;
        this.atEnd = atEnd;
    }

    String namespace() {
        return message.getNamespace();
    }

    void answered(TokenRange range) {
        guard.release(mark);
        try {
            outcome.answered(range);
        } finally {
            atEnd.accept(this);
        }
    }

    void failed(TokenException why) {
        guard.release(mark);
        try {
            outcome.failed(why);
        } finally {
            atEnd.accept(this);
        }
    }
}
