package dev.baton.authority.nats.seat;

import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Refusal;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.core.Bytes;
import dev.baton.core.SeatId;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** One seat, seen and written by this process: the line to its stream, and what is known of it. Thread-safe. */
final class SeatView {

    /** So many messages that do not count may stand above the last one that does. */
    private static final int MOST_STRANGERS = 64;

    private final SeatId id;
    private final SeatLine line;
    private final Knowledge knowledge;

    SeatView(SeatId id, SeatLine line, Knowledge knowledge) {
        this.id = id;
        this.line = line;
        this.knowledge = knowledge;
    }

    SeatId id() {
        return id;
    }

    SeatLine line() {
        return line;
    }

    Knowledge knowledge() {
        return knowledge;
    }

    Bound bound() {
        return line.servers().bound();
    }

    /** Asks the stream's leader for news. Mostly there are none, and the answer is short. */
    Reply<Observation> refresh(Bound by) {
        Optional<Observation> before = knowledge.newest();
        Sight known = knowledge.sight();
        if (before.isPresent()) {
            Reply<Optional<SeatLine.Stored>> news = line.next(known.tip() + 1, by);
            if (!(news instanceof Reply.Got<Optional<SeatLine.Stored>> got)) {
                return withoutStream(known, news);
            }
            if (got.value().isEmpty()) {
                return learned(known, got.sentNanos());
            }
        }
        Reply<Optional<SeatLine.Stored>> last = line.last(by);
        if (!(last instanceof Reply.Got<Optional<SeatLine.Stored>> got)) {
            return withoutStream(known, last);
        }
        return got.value().isEmpty()
                ? learned(known, got.sentNanos()) // empty, or a server that lags behind what was known
                : counted(got.value().get(), by, got.sentNanos());
    }

    private Reply<Observation> learned(Sight seen, long sentNanos) {
        return new Reply.Got<>(knowledge.learn(seen, sentNanos), sentNanos);
    }

    /** A seat comes into being by its first promotion; but a stream that was there and is gone has taken epochs along. */
    private Reply<Observation> withoutStream(Sight known, Reply<Optional<SeatLine.Stored>> reply) {
        if (!(reply instanceof Reply.Refused<Optional<SeatLine.Stored>> refused)
                || refused.refusal() != Refusal.NO_STREAM) {
            return Reply.passOn(reply);
        }
        return known.tip() == 0
                ? learned(Sight.NOTHING, refused.sentNanos())
                : new Reply.Unsent<>("stream " + line.names().stream() + " is gone (expected: message " + known.tip()
                        + ", which was there; restore the stream, or raise the seat's era)");
    }

    /** Walks down from the tip to the last message that counts, or to what was known before. */
    private Reply<Observation> counted(SeatLine.Stored tip, Bound by, long sentNanos) {
        SeatLine.Stored stored = tip;
        for (int step = 0; step < MOST_STRANGERS; step++) {
            if (stored.message().isPresent()) {
                Sight below = Sight.of(stored.message().get());
                Sight seen = new Sight(tip.sequence(), below.at(), below.state());
                return learned(seen, sentNanos);
            }
            Sight known = knowledge.sight();
            long before = stored.sequence() - 1;
            if (before <= known.tip()) {
                Sight seen = new Sight(Math.max(tip.sequence(), known.tip()), known.at(), known.state());
                return learned(seen, sentNanos);
            }
            Reply<Optional<SeatLine.Stored>> reply = line.at(before, by);
            if (!(reply instanceof Reply.Got<Optional<SeatLine.Stored>> got)) {
                return Reply.passOn(reply);
            }
            if (got.value().isEmpty()) {
                return new Reply.Unsent<>(line.names().stream() + " has no message " + before + " below "
                        + tip.sequence() + " (expected: all of them; a server may be lagging behind)");
            }
            stored = got.value().get();
        }
        return new Reply.Unsent<>("the last " + MOST_STRANGERS + " messages of " + line.names().stream()
                + " are not Baton's (expected: nobody else publishes to "
                + line.names().subject() + ")");
    }

    /** Writes on top of what was seen, and takes note if it landed. */
    Published write(Sight on, SeatMessage.Kind kind, SeatState after, Bytes body, Bound by) {
        String nonce = "%016x".formatted(ThreadLocalRandom.current().nextLong());
        SeatMessage message = new SeatMessage(on.tip() + 1, kind, after, nonce, body);
        Published outcome = line.publish(message, by);
        if (outcome instanceof Published.Landed landed) {
            knowledge.learn(Sight.of(message), landed.sentNanos());
        }
        return outcome;
    }

    Published write(Sight on, SeatMessage.Kind kind, SeatState after, Bound by) {
        return write(on, kind, after, Bytes.EMPTY, by);
    }
}
