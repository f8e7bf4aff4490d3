package dev.baton.duty.mempool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.WatcherTerm;
import java.util.List;
import java.util.Optional;

/** Reads what a script answered, part by part. What is not as expected is an {@link IllegalStateException}. */
final class Reply {

    private final List<?> parts;
    private int next;

    Reply(List<?> parts) {
        this.parts = parts;
    }

    boolean hasMore() {
        return next < parts.size();
    }

    private Object part() {
        if (!hasMore()) {
            throw new IllegalStateException("reply: cut short after " + parts.size() + " parts");
        }
        return parts.get(next++);
    }

    void skip() {
        part();
    }

    byte[] array() {
        Object part = part();
        if (part instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalStateException("reply: part " + next + " is " + part + " (expected: bytes)");
    }

    String text() {
        return new String(array(), UTF_8);
    }

    long number() {
        Object part = part();
        if (part instanceof Long number) {
            return number;
        }
        if (part instanceof byte[] bytes) {
            return Long.parseLong(new String(bytes, UTF_8));
        }
        throw new IllegalStateException("reply: part " + next + " is " + part + " (expected: a number)");
    }

    Bytes bytes() {
        return Bytes.wrap(array());
    }

    Hash hash() {
        return Hash.parse(text());
    }

    Stage stage() {
        return Stage.of(text().charAt(0));
    }

    Point point() {
        return Point.parse(text());
    }

    Optional<Point> optionalPoint() {
        String text = text();
        return text.isEmpty() ? Optional.empty() : Optional.of(Point.parse(text));
    }

    Optional<WatcherTerm> optionalTerm() {
        String cluster = text();
        String seat = text();
        String era = text();
        String epoch = text();
        return cluster.isEmpty()
                ? Optional.empty()
                : Optional.of(new WatcherTerm(
                        new SeatId(new ClusterId(cluster), new SeatName(seat), new Era(Integer.parseInt(era))),
                        new Epoch(Long.parseLong(epoch))));
    }

    private WatcherTerm term() {
        return optionalTerm().orElseThrow(() -> new IllegalStateException("reply: refused by no watcher"));
    }

    Confirmation confirmation(WatcherTerm shown) {
        String code = text();
        return switch (code) {
            case "APPLIED" -> new Confirmation.Applied(point());
            case "APPLYING" -> new Confirmation.Applying(point());
            case "UNFINISHED" -> new Confirmation.Unfinished(point());
            case "ALREADY" -> new Confirmation.AlreadyApplied(point());
            case "NOT_NEXT" -> new Confirmation.NotNext(point());
            case "TOO_DEEP" -> new Confirmation.TooDeep(point());
            case "FENCED" -> new Confirmation.Fenced(shown, term());
            case "OTHER" -> new Confirmation.OtherSeat(shown, term());
            default -> throw new IllegalStateException("reply: " + code + " (expected: a reply of our scripts)");
        };
    }
}
