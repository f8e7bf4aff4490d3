package dev.baton.client;

import dev.baton.client.ClientSettings.PrefetchSettings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of a namespace that were asked for ahead, for callers who chose speed over order.
 *
 * <p>Its aim follows the rate at which tokens are taken: what is used in a fifth of a second, never more than the given
 * number. What grows too old is thrown away and becomes a gap. Taking is one atomic addition.
 */
final class Stock {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long AHEAD_NANOS = NANOS_PER_SECOND / 5;

    private final int most;
    private final long ageNanos;
    private final Counters counters;
    private final AtomicReference<@Nullable Shelf> current = new AtomicReference<>();
    private final Queue<Shelf> further = new ConcurrentLinkedQueue<>();
    private final AtomicLong kept = new AtomicLong(); // on all shelves, and ordered
    private final AtomicLong taken = new AtomicLong();
    private long takenBefore;
    private long measuredAtNanos;
    private volatile long aim;

    Stock(PrefetchSettings settings, Counters counters, long nowNanos) {
        this.most = settings.most();
        this.ageNanos = settings.age().toNanos();
        this.counters = counters;
        this.measuredAtNanos = nowNanos;
    }

    /** Tokens of one answer; each index is given to one caller only. */
    private record Shelf(long first, long step, long count, long bornNanos, AtomicLong next) {}

    /** A token, or 0 if there is none fresh enough. */
    long take(long nowNanos) {
        while (true) {
            Shelf shelf = current.get();
            if (shelf == null) {
                Shelf next = further.poll();
                if (next == null) {
                    return 0;
                }
                if (!current.compareAndSet(null, next)) {
                    further.add(next);
                }
                continue;
            }
            if (nowNanos - shelf.bornNanos() <= ageNanos) {
                long index = shelf.next().getAndIncrement();
                if (index < shelf.count()) {
                    kept.decrementAndGet();
                    return shelf.first() + index * shelf.step();
                }
            } else {
                clear(shelf);
            }
            current.compareAndSet(shelf, null);
        }
    }

    /** Takes all that is left on a shelf, for nobody. */
    private void clear(Shelf shelf) {
        long left = Math.max(0, shelf.count() - shelf.next().getAndSet(shelf.count()));
        kept.addAndGet(-left);
        counters.unused.add(left);
    }

    /** Counts a token that somebody wanted, from here or not: the rate is that of all callers. */
    void wanted(long tokens) {
        taken.addAndGet(tokens);
    }

    /** Whether so much is missing that it is worth a request. */
    boolean low() {
        long target = aim;
        return target > 0 && kept.get() <= target / 2;
    }

    /** How many tokens to ask for now, at most so many; they count as kept until {@link #put} or {@link #cancel}. */
    long order(long limit) {
        long missing = low() ? Math.max(0, Math.min(limit, aim - kept.get())) : 0;
        kept.addAndGet(missing);
        return missing;
    }

    /** It did not come; nothing is ordered again before the next review, or a failing service would be asked in a loop. */
    void cancel(long ordered) {
        aim = 0;
        kept.addAndGet(-ordered);
    }

    /** Puts what was ordered, or less if callers needed some of it. */
    void put(long first, long step, long count, long ordered, long nowNanos) {
        kept.addAndGet(count - ordered);
        if (count > 0) {
            further.add(new Shelf(first, step, count, nowNanos, new AtomicLong()));
        }
    }

    /** Adapts to the rate and throws old tokens away; called now and then by one thread. */
    void review(long nowNanos) {
        long elapsedNanos = nowNanos - measuredAtNanos;
        if (elapsedNanos > 0) {
            long total = taken.get();
            double perSecond = (double) (total - takenBefore) * NANOS_PER_SECOND / elapsedNanos;
            takenBefore = total;
            measuredAtNanos = nowNanos;
            long ahead = (long) (perSecond * Math.min(AHEAD_NANOS, ageNanos / 2) / NANOS_PER_SECOND);
            aim = Math.min(most, Math.max(ahead, aim / 2)); // grows at once, shrinks by halves
        }
        Shelf shelf = current.get();
        if (shelf != null && nowNanos - shelf.bornNanos() > ageNanos) {
            clear(shelf);
            current.compareAndSet(shelf, null);
        }
        further.removeIf(old -> {
            boolean tooOld = nowNanos - old.bornNanos() > ageNanos;
            if (tooOld) {
                clear(old);
            }
            return tooOld;
        });
    }

    long kept() {
        return kept.get();
    }

    /** Throws everything away, at the end. */
    void empty() {
        aim = 0;
        Shelf shelf = current.getAndSet(null);
        if (shelf != null) {
            clear(shelf);
        }
        for (Shelf left = further.poll(); left != null; left = further.poll()) {
            clear(left);
        }
    }
}
