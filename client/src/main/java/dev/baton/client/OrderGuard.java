package dev.baton.client;

import dev.baton.wire.token.v1.TokenResponse;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a client can check of the promises about one namespace.
 *
 * <p>A request that is sent after an answer arrived gets higher tokens (INV-13), no lower revision and no lower epoch, so
 * each request takes along what was known when it was first sent. A retry that was recognised is the answer of an older
 * term perhaps, so its epoch says nothing. Requests that were under way together may be answered in any order;
 * of them it is only known that they share no token (INV-12), so the ranges that arrived meanwhile are kept as long as
 * one of those requests is out. A stream is always out, see {@link Reading}. Of ranges that are kept for long only the
 * highest are, so that a stream that nobody reads costs no more than that.
 */
final class OrderGuard {

    /** So many ranges are kept at most; those that follow one another are one. */
    private static final int MOST_RANGES = 10_000;

    private final boolean checkOrder;
    private long highestToken;
    private long highestRevision;
    private long highestEpoch;
    private final TreeMap<Long, Integer> departed = new TreeMap<>();
    private final TreeMap<Long, Long> arrived = new TreeMap<>();

    OrderGuard(boolean checkOrder) {
        this.checkOrder = checkOrder;
    }

    /** What was known when a request was first sent. */
    record Mark(long token, long revision, long epoch) {
        Mark orHigher(Mark other) {
            return new Mark(
                    Math.max(token, other.token), Math.max(revision, other.revision), Math.max(epoch, other.epoch));
        }
    }

    /** Takes the mark of a request that is about to be sent; {@link #release} gives it back. */
    synchronized Mark depart() {
        departed.merge(highestToken, 1, Integer::sum);
        return new Mark(highestToken, highestRevision, highestEpoch);
    }

    synchronized void release(Mark mark) {
        if (departed.merge(mark.token(), -1, Integer::sum) == 0) {
            departed.remove(mark.token());
        }
        forgetWhatNobodyCanRepeat();
    }

    /**
     * What one stream has read, in the order of its sequence numbers.
     *
     * <p>A message that was reserved for it now lies above the one before and above everything that was known when the
     * stream was opened at this node. One that was reserved by an earlier opening ({@code duplicate}) need not: if the
     * number before it was refused then, that one has got its tokens only now. Of it only the lowest is known that an
     * earlier opening can have reserved.
     */
    final class Reading {
        /** More messages than can have been under way when a connection broke: after so many all come from this opening. */
        private static final int SETTLED = 1_000;

        private Mark last = depart();
        private Mark floor = last; // departed, so that the ranges of others above it are kept
        private Mark opening = last;
        private boolean reopened;
        private boolean begun;
        private int sinceOpening;
        private boolean ended;

        /** Before it is opened at a node, again and again. */
        void opens() {
            synchronized (OrderGuard.this) {
                opening = new Mark(highestToken, highestRevision, highestEpoch);
                reopened = begun;
                begun = true;
                sinceOpening = 0;
            }
        }

        Optional<String> accept(TokenRange range, TokenResponse response) {
            synchronized (OrderGuard.this) {
                Mark lowest = response.getDuplicate() ? floor : last.orHigher(opening);
                Optional<String> problem = OrderGuard.this.accept(lowest, range, response);
                if (problem.isEmpty()) {
                    last = last.orHigher(new Mark(range.last(), response.getRevision(), response.getEpoch()));
                    sinceOpening++;
                    if ((!reopened || sinceOpening > SETTLED) && !ended) {
                        raiseFloor();
                    }
                }
                return problem;
            }
        }

        private void raiseFloor() {
            Mark before = floor;
            floor = last;
            departed.merge(floor.token(), 1, Integer::sum);
            release(before);
        }

        /** It reads no more; may be said again. */
        void ends() {
            synchronized (OrderGuard.this) {
                if (!ended) {
                    ended = true;
                    release(floor);
                }
            }
        }
    }

    /** Accepts an answer, or says what is wrong with it. */
    synchronized Optional<String> accept(Mark mark, TokenRange range, TokenResponse response) {
        if (response.getRevision() < mark.revision()) {
            return Optional.of("revision " + response.getRevision() + " (expected: " + mark.revision()
                    + " or higher, which was known before the request was sent)");
        }
        if (!response.getDuplicate() && response.getEpoch() < mark.epoch()) {
            return Optional.of("epoch " + response.getEpoch() + " (expected: " + mark.epoch()
                    + " or higher, which was known before the request was sent)");
        }
        if (checkOrder && range.start() <= mark.token()) {
            return Optional.of("token " + range.start() + " (expected: above " + mark.token()
                    + ", which was known before the request was sent)");
        }
        Map.Entry<Long, Long> below = arrived.floorEntry(range.last());
        if (below != null && below.getValue() >= range.start()) {
            return Optional.of("tokens " + range.start() + " to " + range.last() + " (expected: none of "
                    + below.getKey() + " to " + below.getValue() + ", which answered another request)");
        }
        keep(range);
        highestToken = Math.max(highestToken, range.last());
        highestRevision = Math.max(highestRevision, response.getRevision());
        highestEpoch = Math.max(highestEpoch, response.getEpoch());
        forgetWhatNobodyCanRepeat();
        return Optional.empty();
    }

    private void keep(TokenRange range) {
        long first = range.start();
        long last = range.last();
        Map.Entry<Long, Long> before = arrived.lowerEntry(first);
        if (before != null && before.getValue() + range.step() == first) {
            first = before.getKey();
        }
        @Nullable Long behind = arrived.remove(last + range.step());
        arrived.put(first, behind == null ? last : behind);
        if (arrived.size() > MOST_RANGES) {
            arrived.pollFirstEntry();
        }
    }

    /**
     * Ranges at or below the lowest mark that is out are covered by the check of order. Without that check nothing covers
     * them, and as many are kept as there is room for.
     */
    private void forgetWhatNobodyCanRepeat() {
        long lowest = departed.isEmpty() ? highestToken : departed.firstKey();
        while (checkOrder && !arrived.isEmpty() && arrived.firstEntry().getValue() <= lowest) {
            arrived.pollFirstEntry();
        }
    }

    synchronized int rangesRemembered() {
        return arrived.size();
    }
}
