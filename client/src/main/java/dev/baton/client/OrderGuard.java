package dev.baton.client;

import dev.baton.wire.token.v1.TokenResponse;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks what a client can check of the promises about one namespace.
 *
 * <p>A request that is sent after an answer arrived gets higher tokens (INV-13), no lower revision and no lower epoch, so
 * each request takes along what was known when it was first sent. A retry that was recognised is the answer of an older
 * term perhaps, so its epoch says nothing. Requests that were under way together may be answered in any order;
 * of them it is only known that they share no token (INV-12), so the ranges that arrived meanwhile are kept as long as
 * one of those requests is out.
 */
final class OrderGuard {

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
    record Mark(long token, long revision, long epoch) {}

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

    /** What is known now; for a stream, which compares each message with the one before. */
    synchronized Mark now() {
        return new Mark(highestToken, highestRevision, highestEpoch);
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
        arrived.put(range.start(), range.last());
        highestToken = Math.max(highestToken, range.last());
        highestRevision = Math.max(highestRevision, response.getRevision());
        highestEpoch = Math.max(highestEpoch, response.getEpoch());
        forgetWhatNobodyCanRepeat();
        return Optional.empty();
    }

    /** Ranges at or below the lowest mark that is out are covered by the check of order. */
    private void forgetWhatNobodyCanRepeat() {
        long lowest = departed.isEmpty() ? highestToken : departed.firstKey();
        while (!arrived.isEmpty() && arrived.firstEntry().getValue() <= lowest) {
            arrived.pollFirstEntry();
        }
    }

    synchronized int rangesRemembered() {
        return arrived.size();
    }
}
