package dev.baton.authority.nats.seat;

import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.core.Height;
import java.util.Optional;

/**
 * Finds the message of a height.
 *
 * <p>Between the entries stand promotions and other signs of life, so an entry lies at least as far below the head's
 * message as its height lies below the head's height. The message found there says where the head was by then, and the
 * search goes on from that; each step skips what stands between the entries.
 */
final class Locating {

    private final SeatView view;
    private final Bound by;

    Locating(SeatView view, Bound by) {
        this.view = view;
        this.by = by;
    }

    /** The entry's message; the height lies between the oldest and the head of this sight. */
    Reply<SeatMessage> find(Height height, Sight from) {
        long guess = guess(height, from.state());
        while (true) {
            Reply<Optional<SeatLine.Stored>> reply = view.line().at(guess, by);
            if (!(reply instanceof Reply.Got<Optional<SeatLine.Stored>> got)) {
                return Reply.passOn(reply);
            }
            if (got.value().isEmpty()) {
                return new Reply.Unsent<>(view.line().names().stream() + " has no message " + guess
                        + " (expected: the entry at height " + height + " there or below)");
            }
            Optional<SeatMessage> message = got.value().get().message();
            if (message.isEmpty()) {
                guess--; // a stranger's
                continue;
            }
            SeatMessage found = message.get();
            if (found.after().headAt() == guess && found.after().head().height().equals(height)) {
                return new Reply.Got<>(found, got.sentNanos());
            }
            long next = guess(height, found.after());
            if (next >= guess) {
                throw new IllegalStateException("message " + guess + " of " + view.id() + " puts height " + height
                        + " at " + next + " (expected: below it)");
            }
            guess = next;
        }
    }

    private static long guess(Height height, SeatState state) {
        return state.headAt() - (state.head().height().value() - height.value());
    }
}
