package dev.baton.client;

import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * Tokens that nobody else ever gets: {@code start}, {@code start + step} … below {@code end}.
 *
 * @param end the last token plus 1
 * @param step how far apart the tokens lie; 1 unless the namespace is sharded, or belongs to a region, or says so
 */
public record TokenRange(long start, long end, long step) implements Iterable<Long> {

    public TokenRange {
        if (start < 1 || end <= start || step < 1) {
            throw new IllegalArgumentException("tokens [" + start + ", " + end + ") step " + step
                    + " (expected: start and step from 1 on, end above start)");
        }
    }

    /** How many tokens these are. */
    public long count() {
        return (end - 1 - start) / step + 1;
    }

    /** The highest of them. */
    public long last() {
        return start + (count() - 1) * step;
    }

    /** All of them, lowest first. */
    public LongStream tokens() {
        return LongStream.range(0, count()).map(index -> start + index * step);
    }

    /** All of them, lowest first. */
    @Override
    public Iterator<Long> iterator() {
        PrimitiveIterator.OfLong tokens = tokens().iterator();
        return tokens;
    }
}
