package dev.baton.authority.nats.seat;

import dev.baton.authority.nats.wire.Answer;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Refusal;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * What one seat asks of its stream. Everything here blocks, on a virtual thread of the caller.
 *
 * <p>Reads go to the stream's leader ({@code STREAM.MSG.GET}), never to a replica ({@code DIRECT.GET}).
 */
final class SeatLine {

    private static final String API = "$JS.API.STREAM.";

    private final SeatNames names;
    private final StreamShape shape;
    private final Servers servers;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean made = new AtomicBoolean();

    SeatLine(SeatId seat, int replicas, Servers servers) {
        this.names = SeatNames.of(seat);
        this.shape = new StreamShape(seat, replicas);
        this.servers = servers;
    }

    /** A stored message, whether it counts or not. */
    record Stored(long sequence, Optional<SeatMessage> message) {}

    Servers servers() {
        return servers;
    }

    SeatNames names() {
        return names;
    }

    /** The last message; empty if there is none. */
    Reply<Optional<Stored>> last(Bound by) {
        return message("{\"last_by_subj\":\"" + names.subject() + "\"}", by);
    }

    /** The first message from this sequence on. */
    Reply<Optional<Stored>> next(long sequence, Bound by) {
        return message("{\"seq\":" + sequence + ",\"next_by_subj\":\"" + names.subject() + "\"}", by);
    }

    Reply<Optional<Stored>> at(long sequence, Bound by) {
        return message("{\"seq\":" + sequence + "}", by);
    }

    /**
     * Asks for a message, but not before the stream says that it has one: a server of 2.9.10 that is asked for a message of
     * a stream which it is just making crashes, because that stream has no store yet.
     */
    private Reply<Optional<Stored>> message(String question, Bound by) {
        if (!begun.get()) {
            Reply<Answer> reply = servers.ask(API + "INFO." + names.stream(), "", by);
            if (!(reply instanceof Reply.Got<Answer> got)) {
                return Reply.passOn(reply);
            }
            if (new StreamInfo(got.value().message()).getStreamState().getMsgCount() == 0) {
                return new Reply.Got<>(Optional.empty(), got.sentNanos());
            }
            begun.set(true);
        }
        return switch (servers.ask(API + "MSG.GET." + names.stream(), question, by)) {
            case Reply.Got<Answer> got -> {
                MessageInfo info = new MessageInfo(got.value().message(), names.stream(), false);
                yield new Reply.Got<>(Optional.of(new Stored(info.getSeq(), SeatMessage.of(info))), got.sentNanos());
            }
            case Reply.Refused<Answer> refused -> {
                if (refused.refusal() == Refusal.NO_MESSAGE) {
                    yield new Reply.Got<>(Optional.empty(), refused.sentNanos());
                }
                yield Reply.passOn(refused);
            }
            case Reply.Unsent<Answer> unsent -> Reply.passOn(unsent);
            case Reply.Lost<Answer> lost -> Reply.passOn(lost);
        };
    }

    /** What each server says of the stream; whichever is asked, the stream's leader answers. */
    List<Servers.Told> tellEach(Duration within) {
        return servers.askEach(API + "INFO." + names.stream(), within);
    }

    /** Sees to it that there is a stream, of the right shape; says what stands against it. */
    Optional<String> make(Bound by) {
        if (made.get()) {
            return Optional.empty();
        }
        Reply<Answer> reply = servers.ask(
                API + "CREATE." + names.stream(), shape.configuration().toJson(), by);
        if (reply instanceof Reply.Refused<Answer> refused && refused.refusal() == Refusal.OTHER_CONFIGURATION) {
            return whatIsWrong(by);
        }
        if (!(reply instanceof Reply.Got<Answer>)) {
            return Optional.of("the stream " + names.stream() + " cannot be made: " + Reply.trouble(reply));
        }
        made.set(true);
        return Optional.empty();
    }

    /** A stream that was made by other hands, or with more replicas, may still be fit. */
    private Optional<String> whatIsWrong(Bound by) {
        Reply<Answer> reply = servers.ask(API + "INFO." + names.stream(), "", by);
        if (!(reply instanceof Reply.Got<Answer> got)) {
            return Optional.of(Reply.trouble(reply));
        }
        StreamInfo info = new StreamInfo(got.value().message());
        List<Fault> faults = shape.faults("authority.", info.getConfiguration());
        if (faults.isEmpty()) {
            made.set(true);
            return Optional.empty();
        }
        return Optional.of(faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
    }

    /**
     * Publishes the message on exactly the one before its sequence.
     *
     * <p>A publish that timed out may have been stored. What stands at its sequence tells: this very message, by its
     * nonce, or another one; and while nothing stands there, nobody knows.
     */
    Published publish(SeatMessage message, Bound by) {
        Bound reserved = by.less(servers.requestTimeout().dividedBy(3));
        Reply<Answer> reply = servers.ask(
                names.subject(), message.headers(names.stream()), message.body().toArray(), reserved);
        Published outcome = switch (reply) {
            case Reply.Got<Answer> got -> acknowledged(message, got, by);
            case Reply.Refused<Answer> refused -> refused(message, refused, by);
            case Reply.Unsent<Answer> unsent -> new Published.Unsent(unsent.why());
            case Reply.Lost<Answer> lost -> resolve(message, lost.sentNanos(), lost.why(), by);
        };
        if (outcome instanceof Published.Landed) {
            servers.shout(names.hint());
        }
        return outcome;
    }

    private Published acknowledged(SeatMessage message, Reply.Got<Answer> got, Bound by) {
        try {
            PublishAck ack = new PublishAck(got.value().message());
            if (ack.getSeqno() != message.sequence()) {
                throw new IllegalStateException("stream " + names.stream() + " stored a message at " + ack.getSeqno()
                        + " (expected: " + message.sequence() + ", as it was told)");
            }
            return new Published.Landed(message, got.sentNanos());
        } catch (IOException | JetStreamApiException e) {
            return resolve(message, got.sentNanos(), String.valueOf(e.getMessage()), by);
        }
    }

    private Published refused(SeatMessage message, Reply.Refused<Answer> refused, Bound by) {
        return switch (refused.refusal()) {
            case WRONG_LAST_SEQUENCE ->
                refused.afterLoss() ? resolve(message, refused.sentNanos(), refused.why(), by) : new Published.Beaten();
            case TOO_LARGE, OTHER_STREAM ->
                refused.afterLoss() ? new Published.Unknown(refused.why()) : new Published.Unsent(refused.why());
            // The leader may have failed to store what its replicas did.
            default -> resolve(message, refused.sentNanos(), refused.why(), by);
        };
    }

    private Published resolve(SeatMessage message, long sentNanos, String why, Bound by) {
        if (!(at(message.sequence(), by) instanceof Reply.Got<Optional<Stored>> got)
                || got.value().isEmpty()) {
            return new Published.Unknown(why);
        }
        boolean own = got.value()
                .get()
                .message()
                .filter(there -> there.nonce().equals(message.nonce()))
                .isPresent();
        return own ? new Published.Landed(message, sentNanos) : new Published.Beaten();
    }

    /** Gives the room of everything below this sequence back. Nobody waits for success: the next trim does it again. */
    void purgeBelow(long sequence) {
        var unused = servers.later(() -> {
            Duration within = servers.requestTimeout();
            return servers.ask(API + "PURGE." + names.stream(), "{\"seq\":" + sequence + "}", Bound.in(within));
        });
    }
}
