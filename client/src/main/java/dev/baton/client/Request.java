package dev.baton.client;

import dev.baton.wire.token.v1.TokenRequest;
import java.util.concurrent.atomic.AtomicBoolean;
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
    final Permit permit;
    private final Outcome outcome;
    private final Tellings tellings;
    private final Consumer<Request> atEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    Request(
            TokenRequest message,
            long deadlineNanos,
            OrderGuard guard,
            Tries tries,
            Permit permit,
            Outcome outcome,
            Tellings tellings,
            Consumer<Request> atEnd) {
        this.message = message;
        this.deadlineNanos = deadlineNanos;
        this.guard = guard;
        this.mark = guard.depart();
        this.tries = tries;
        this.permit = permit;
        this.outcome = outcome;
        this.tellings = tellings;
        this.atEnd = atEnd;
    }

    String namespace() {
        return message.getNamespace();
    }

    void answered(TokenRange range) {
        end(() -> outcome.answered(range));
    }

    void failed(TokenException why, Runnable counting) {
        end(() -> {
            counting.run();
            outcome.failed(why);
        });
    }

    /** Once decided it is not under way any more; what is still being told is waited for by itself. */
    private void end(Runnable telling) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        guard.release(mark);
        permit.undecided(); // unless something was reported
        tellings.now(() -> {
            atEnd.accept(this);
            telling.run();
        });
    }
}
