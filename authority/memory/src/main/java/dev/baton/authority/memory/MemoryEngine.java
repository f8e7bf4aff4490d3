package dev.baton.authority.memory;

import dev.baton.authority.SeatEvent;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The "server" that several nodes connect to: seats with their terms, leases and ledgers.
 *
 * <p>It has no thread. Time passes when the given clock says so, but is noticed only by the next call or by {@link
 * #tick()}: whoever wants watchers to hear of lapses, or delayed requests to arrive, ticks. Everything a caller hears,
 * outcomes and events alike, reaches it through the given executor. Thread-safe; nothing blocks.
 */
public final class MemoryEngine {

    /** How the record of a new seat is made. */
    interface Records {
        SeatRecord create(SeatId id, Duration lease, Consumer<SeatEvent> changes);
    }

    private final Duration lease;
    private final LongSupplier nanoClock;
    private final Executor callers;
    private final Records records;

    private final Object lock = new Object();
    private final Map<SeatId, SeatRecord> seats = new HashMap<>();
    private final List<MemoryWatch> watches = new ArrayList<>();
    private final PriorityQueue<Delayed> delayed = new PriorityQueue<>();
    private long delayedCount;
    private int starts;

    /** An engine that reads the process's monotonic clock and answers on the caller's thread. */
    public MemoryEngine(Duration lease) {
        this(lease, System::nanoTime, Runnable::run);
    }

    /**
     * An engine for a world of its own.
     *
     * @param callers runs whatever is told to callers: completions of stages, and events. It must not drop any; it
     *     need not keep their order, since a watch delivers its own events in order
     */
    public MemoryEngine(Duration lease, LongSupplier nanoClock, Executor callers) {
        this(lease, nanoClock, callers, SeatRecord::new);
    }

    MemoryEngine(Duration lease, LongSupplier nanoClock, Executor callers, Records records) {
        this.lease = lease;
        this.nanoClock = nanoClock;
        this.callers = callers;
        this.records = records;
    }

    /** A new connection for the node. */
    public MemoryAuthority connect(NodeId node) {
        return new MemoryAuthority(node, this);
    }

    public Duration lease() {
        return lease;
    }

    /** Notices what time has brought: leases that ran out, and delayed messages that are due, oldest first. */
    public void tick() {
        for (Delayed due = nextDue(); due != null; due = nextDue()) {
            due.task().run();
        }
        run(() -> seats.values().forEach(seat -> seat.lapseIfDue(now())));
    }

    private @Nullable Delayed nextDue() {
        synchronized (lock) {
            Delayed first = delayed.peek();
            return first != null && first.dueNanos() - now() <= 0 ? delayed.poll() : null;
        }
    }

    /** When the next tick will find something to do, if nothing else happens before. */
    public OptionalLong nextTickNanos() {
        synchronized (lock) {
            long[] times = LongStream.concat(
                            delayed.stream().mapToLong(Delayed::dueNanos),
                            seats.values().stream().map(SeatRecord::lapseNanos).flatMapToLong(OptionalLong::stream))
                    .toArray();
            // Monotonic times may wrap, so they compare by their difference.
            return Arrays.stream(times).reduce((a, b) -> a - b <= 0 ? a : b);
        }
    }

    /**
     * Stops and starts, keeping terms and ledgers. Requests under way are lost, the callers of those that had arrived
     * do not know what came of them, watchers miss events, and leases begin anew.
     */
    public void restart() {
        run(() -> {
            starts++;
            seats.values().forEach(seat -> seat.restarted(now()));
            watches.forEach(watch -> watch.offer(new SeatEvent.Missed("the engine was restarted")));
        });
    }

    long now() {
        return nanoClock.getAsLong();
    }

    /** Tells apart what was sent before and after a restart. */
    int starts() {
        synchronized (lock) {
            return starts;
        }
    }

    /** One step at a seat, alone in the engine; watchers hear of it afterwards. */
    <R> R at(SeatId id, Step<R> step) {
        try {
            synchronized (lock) {
                return step.take(record(id), now());
            }
        } finally {
            deliverEvents();
        }
    }

    interface Step<R> {
        R take(SeatRecord seat, long nowNanos);
    }

    private SeatRecord record(SeatId id) {
        return seats.computeIfAbsent(id, seat -> records.create(seat, lease, event -> announce(seat, event)));
    }

    private void announce(SeatId id, SeatEvent event) {
        for (MemoryWatch watch : watches) {
            if (watch.seat().equals(id)) {
                watch.offer(event);
            }
        }
    }

    void add(MemoryWatch watch) {
        at(watch.seat(), (seat, nowNanos) -> {
            seat.present(nowNanos).forEach(watch::offer);
            return watches.add(watch);
        });
    }

    void remove(MemoryWatch watch) {
        synchronized (lock) {
            watches.remove(watch);
        }
    }

    private void run(Runnable step) {
        synchronized (lock) {
            step.run();
        }
        deliverEvents();
    }

    /** Outside of the lock, since listeners may call the engine. */
    private void deliverEvents() {
        List<MemoryWatch> told;
        synchronized (lock) {
            told = List.copyOf(watches);
        }
        for (MemoryWatch watch : told) {
            if (watch.hasNews()) {
                callers.execute(watch::deliver);
            }
        }
    }

    /** Runs the task at once, or at the first tick after the delay. */
    void after(Duration delay, Runnable task) {
        if (delay.isZero()) {
            task.run();
            return;
        }
        synchronized (lock) {
            delayed.add(new Delayed(now() + delay.toNanos(), delayedCount++, task));
        }
    }

    void tell(Runnable completion) {
        callers.execute(completion);
    }

    private record Delayed(long dueNanos, long order, Runnable task) implements Comparable<Delayed> {
        @Override
        public int compareTo(Delayed other) {
            int byTime = Long.signum(dueNanos - other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
