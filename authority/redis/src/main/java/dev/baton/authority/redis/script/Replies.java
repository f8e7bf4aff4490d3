package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Seated;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads what the scripts answer. Each entry's hash is computed anew: what does not match, or cannot be read, is {@link
 * Answer.Broken}, never a guess.
 */
public final class Replies {

    private final SeatId seat;

    public Replies(SeatId seat) {
        this.seat = seat;
    }

    /** Reads the reply of any script: a list of byte strings, the seal and then what it is. */
    public Answer read(List<?> reply) {
        try {
            Cursor in = new Cursor(reply);
            in.bytes();
            return read(in);
        } catch (IllegalArgumentException e) {
            return new Answer.Broken(SeatKeys.named(seat) + ": " + e.getMessage());
        }
    }

    private Answer read(Cursor in) {
        String code = in.text();
        return switch (code) {
            case "GRANTED" -> granted(in);
            case "HELD" -> {
                Seated held = seated(in).orElseThrow(() -> new IllegalArgumentException("held by nobody"));
                yield new Answer.Held(held.seating(), held.left(), in.epoch());
            }
            case "STALE" -> new Answer.Stale(in.epoch());
            case "ELSEWHERE" -> new Answer.Elsewhere(tip(in));
            case "ACCEPTED" -> new Answer.Accepted();
            case "AHEAD" -> {
                boolean same = in.text().equals("1");
                yield new Answer.Ahead(
                        same, tip(in).orElseThrow(() -> new IllegalArgumentException("ahead without a tip")));
            }
            case "BEHIND" -> new Answer.Behind(tip(in));
            case "FENCED" -> new Answer.Fenced(in.epoch());
            case "DONE" -> new Answer.Done();
            case "TRIMMED" -> new Answer.Trimmed(in.height());
            case "SEEN" -> new Answer.Seen(sight(in));
            case "ENTRIES" -> entries(in);
            case "BLANK" -> new Answer.Blank(in.text());
            case "OTHER" -> new Answer.Other(new MemberId(in.text()));
            case "UNRECOGNISED" -> new Answer.Unsent("restarted, and not recognised yet");
            case "OTHER_RUN" -> new Answer.Unsent("meant for another run of the node's process");
            case "GARBLED" -> new Answer.Unsent("the ask arrived with other bytes than it was sent with");
            case "BROKEN" -> new Answer.Broken(in.text());
            default -> throw new IllegalArgumentException("reply: " + code + " (expected: a reply of our scripts)");
        };
    }

    private Answer granted(Cursor in) {
        Sight before = sight(in);
        byte[] encoded = in.bytes();
        Optional<Entry> entry =
                before.tip().map(tip -> entry(encoded, tip.hash().toString()));
        return new Answer.Granted(before, entry);
    }

    private Answer entries(Cursor in) {
        Sight sight = sight(in);
        List<Entry> entries = new ArrayList<>();
        while (in.hasMore()) {
            entries.add(entry(in.bytes(), in.text()));
        }
        return new Answer.Entries(entries, sight);
    }

    private Entry entry(byte[] encoded, String hash) {
        Entry entry = EntryCodec.decode(seat, ByteBuffer.wrap(encoded));
        if (!entry.hash().toString().equals(hash)) {
            throw new IllegalArgumentException(
                    "entry " + entry.height() + ": stored as " + hash + " (expected: its hash " + entry.hash() + ")");
        }
        return entry;
    }

    private static Sight sight(Cursor in) {
        MemberId member = new MemberId(in.text());
        Epoch promised = in.epoch();
        Epoch open = in.epoch();
        Epoch ended = in.epoch();
        Optional<Seated> seated = seated(in);
        MemberSet governing = MemberSet.parse(in.text());
        Height oldest = in.height();
        return new Sight(member, promised, open, ended, seated, tip(in), governing, oldest);
    }

    private static Optional<Seated> seated(Cursor in) {
        String text = in.text();
        long leftMillis = in.number();
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(new Seated(seating(text), Duration.ofMillis(Math.max(0, leftMillis))));
    }

    private static Seating seating(String text) {
        String[] parts = text.split(" ", 4);
        if (parts.length < 4) {
            throw new IllegalArgumentException("seat: " + text + " (expected: epoch, node, incarnation and address)");
        }
        Holder holder = new Holder(new NodeId(parts[1]), Incarnation.parse(parts[2]));
        return new Seating(new Term(new Epoch(Long.parseLong(parts[0])), holder), parts[3]);
    }

    private static Optional<Tip> tip(Cursor in) {
        Height height = in.height();
        Epoch ballot = in.epoch();
        String hash = in.text();
        String parent = in.text();
        String installs = in.text();
        if (height.equals(Height.ZERO)) {
            return Optional.empty();
        }
        return Optional.of(new Tip(
                height,
                ballot,
                Hash.parse(hash),
                Hash.parse(parent),
                installs.isEmpty() ? Optional.empty() : Optional.of(MemberSet.parse(installs))));
    }

    private static final class Cursor {

        private final List<?> items;
        private int next;

        Cursor(List<?> items) {
            this.items = items;
        }

        boolean hasMore() {
            return next < items.size();
        }

        byte[] bytes() {
            if (!hasMore()) {
                throw new IllegalArgumentException("reply: cut short after " + items.size() + " parts");
            }
            if (items.get(next++) instanceof byte[] bytes) {
                return bytes;
            }
            throw new IllegalArgumentException("reply: part " + next + " (expected: bytes)");
        }

        String text() {
            return new String(bytes(), UTF_8);
        }

        long number() {
            return Long.parseLong(text());
        }

        Epoch epoch() {
            return new Epoch(number());
        }

        Height height() {
            return new Height(number());
        }
    }
}
