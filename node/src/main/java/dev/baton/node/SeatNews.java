package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** What onlookers of a seat want to hear at once, and how long its commits took lately. Thread-safe. */
public final class SeatNews implements SeatObserver {

    private static final int KEPT = 256;

    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
    private final long[] commitMicros = new long[KEPT];
    private long commits;

    /**
     * How long the last commits took.
     *
     * @param commits how many there were since the node started; the other figures are of the newest 256
     */
    public record Latency(long commits, long lastMicros, long medianMicros, long p99Micros) {}

    /** Called after each change of standing, on the driver's thread: must not block. */
    public void onStanding(Runnable listener) {
        listeners.add(listener);
    }

    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public void stepped(Standing before, Input input, Step step) {
        if (before.name() != step.next().name()) {
            listeners.forEach(Runnable::run);
        }
    }

    @Override
    public synchronized void committed(Entry entry, Duration latency) {
        commitMicros[(int) (commits++ % KEPT)] = latency.toNanos() / 1_000;
    }

    public synchronized Latency latency() {
        int count = (int) Math.min(KEPT, commits);
        if (count == 0) {
            return new Latency(0, 0, 0, 0);
        }
        long[] sorted = Arrays.copyOf(commitMicros, count);
        Arrays.sort(sorted);
        return new Latency(
                commits,
                commitMicros[(int) ((commits - 1) % KEPT)],
                sorted[(count - 1) / 2],
                sorted[(int) Math.ceil(count * 0.99) - 1]);
    }
}
