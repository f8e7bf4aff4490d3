package dev.baton.authority.nats.seat;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.nats.client.support.NatsJetStreamConstants;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of a seat's stream: what was done, and how the seat stands after it, as headers that people can read; for an
 * entry also the entry itself.
 *
 * @param nonce tells the copies of one publish from everything else
 * @param body the entry as every engine keeps it; empty for everything but an entry
 */
record SeatMessage(long sequence, Kind kind, SeatState after, String nonce, Bytes body) {

    /** What was done. */
    enum Kind {
        PROMOTED,
        APPENDED,
        /** Nothing but a sign of life. */
        RENEWED,
        TRIMMED,
        RESIGNED
    }

    private static final String FORMAT = "1";

    private static final String FORMAT_HEADER = "Baton-Format";
    private static final String KIND = "Baton-Kind";
    private static final String NONCE = "Baton-Nonce";
    private static final String EPOCH = "Baton-Epoch";
    private static final String HOLDER = "Baton-Holder";
    private static final String ADDRESS = "Baton-Address";
    private static final String PREDECESSOR = "Baton-Predecessor-Ended";
    private static final String RESIGNED = "Baton-Resigned";
    private static final String HEAD = "Baton-Head";
    private static final String HEAD_AT = "Baton-Head-At";
    private static final String OLDEST = "Baton-Oldest";

    /** The headers under which it is published, those that JetStream compares among them. */
    Headers headers(String stream) {
        SeatState.TermRecord term = after.last().orElseThrow();
        Holder holder = term.seating().term().holder();
        return new Headers()
                .put(NatsJetStreamConstants.EXPECTED_STREAM_HDR, stream)
                .put(NatsJetStreamConstants.EXPECTED_LAST_SEQ_HDR, Long.toString(sequence - 1))
                .put(FORMAT_HEADER, FORMAT)
                .put(KIND, kind.name())
                .put(NONCE, nonce)
                .put(EPOCH, term.seating().term().epoch().toString())
                .put(HOLDER, holder.toString())
                .put(ADDRESS, URLEncoder.encode(term.seating().address(), StandardCharsets.UTF_8))
                .put(PREDECESSOR, term.predecessorEnded().name())
                .put(RESIGNED, Boolean.toString(after.resigned()))
                .put(HEAD, after.head().height() + " " + after.head().hash())
                .put(HEAD_AT, Long.toString(after.headAt()))
                .put(OLDEST, after.oldest().toString());
    }

    /**
     * Reads a stored message; empty if it does not count.
     *
     * <p>INV-1: what counts was published on exactly the message before it. JetStream keeps that header with the
     * message, so every reader sees for itself that no server has let a second writer in, and ignores what a superseded
     * term or a stranger has left.
     */
    static Optional<SeatMessage> of(MessageInfo stored) {
        Headers headers = stored.getHeaders();
        long sequence = stored.getSeq();
        if (headers == null
                || !FORMAT.equals(headers.getFirst(FORMAT_HEADER))
                || !Long.toString(sequence - 1)
                        .equals(headers.getFirst(NatsJetStreamConstants.EXPECTED_LAST_SEQ_HDR))) {
            return Optional.empty();
        }
        byte[] body = stored.getData();
        return Optional.of(new SeatMessage(
                sequence,
                Kind.valueOf(field(headers, KIND)),
                state(headers),
                field(headers, NONCE),
                body == null ? Bytes.EMPTY : Bytes.wrap(body)));
    }

    private static SeatState state(Headers headers) {
        String holder = field(headers, HOLDER);
        int mark = holder.indexOf('#');
        String[] head = field(headers, HEAD).split(" ", 2);
        if (mark < 0 || head.length < 2) {
            throw new IllegalArgumentException(HOLDER + ": \"" + holder + "\", " + HEAD + ": \""
                    + String.join(" ", head) + "\" (expected: node#incarnation, height hash)");
        }
        Term term = new Term(
                new Epoch(Long.parseLong(field(headers, EPOCH))),
                new Holder(new NodeId(holder.substring(0, mark)), Incarnation.parse(holder.substring(mark + 1))));
        Seating seating = new Seating(term, URLDecoder.decode(field(headers, ADDRESS), StandardCharsets.UTF_8));
        return new SeatState(
                Optional.of(new SeatState.TermRecord(seating, Ending.valueOf(field(headers, PREDECESSOR)))),
                Boolean.parseBoolean(field(headers, RESIGNED)),
                new Head(new Height(Long.parseLong(head[0])), Hash.parse(head[1])),
                Long.parseLong(field(headers, HEAD_AT)),
                new Height(Long.parseLong(field(headers, OLDEST))));
    }

    private static String field(Headers headers, String name) {
        @Nullable String value = headers.getFirst(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    name + ": missing (expected: in every message of format " + FORMAT + ")");
        }
        return value;
    }

    /** The entry that it carries; what does not have the promised hash is refused. */
    Entry entry(SeatId seat) {
        Entry entry = EntryCodec.decode(seat, body.asBuffer());
        if (!entry.asHead().equals(after.head())) {
            throw new IllegalStateException(
                    "message " + sequence + " of " + seat + ": " + entry + " (expected: " + after.head() + ")");
        }
        return entry;
    }
}
