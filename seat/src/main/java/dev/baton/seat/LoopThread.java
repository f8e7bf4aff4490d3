package dev.baton.seat;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a running node: a mailbox, a few timers, and one thread that runs them.
 *
 * <p>The duty's thread may take its place for a task while it has nothing to do, see {@link #runHere}: to wake a thread
 * takes longer than most tasks, and between two commits everybody waits for it.
 */
final class LoopThread implements Loop, AutoCloseable {

    /** Far more than can be under way at once: one numbered effect, a handful of engine events, some operators. */
    private static final int MAILBOX_SIZE = 4096;

    private final Queue<Runnable> mailbox = new ArrayBlockingQueue<>(MAILBOX_SIZE);
    private final Consumer<Throwable> onDefect;
    private final Thread thread;

    /** Whoever has it runs tasks, and owns the three fields below. */
    private final ReentrantLock turn = new ReentrantLock();

    private final PriorityQueue<Waiting> timers = new PriorityQueue<>();
    private long scheduled;
    private @Nullable Waiting sleepsFor;

    private volatile boolean closed;

    LoopThread(String name, Consumer<Throwable> onDefect) {
        this.onDefect = onDefect;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        thread.start();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public void post(Runnable task) {
        put(task);
        if (!turn.isLocked()) { // else whoever has the turn looks once more after it
            LockSupport.unpark(thread);
        }
    }

    private void put(Runnable task) {
        if (!closed && !mailbox.offer(task)) {
            throw new IllegalStateException(
                    "the mailbox of " + thread.getName() + " is full (" + MAILBOX_SIZE + "): its thread hangs");
        }
    }

    /**
     * Runs the task after everything posted before, as {@link #post} does; but on this thread, with whatever else is due,
     * if nobody has the turn.
     */
    void runHere(Runnable task) {
        put(task);
        if (turn.tryLock()) {
            boolean oversleeps;
            try {
                runWhatIsDue();
                oversleeps = isSooner(timers.peek(), sleepsFor);
            } finally {
                turn.unlock();
            }
            if (oversleeps || !mailbox.isEmpty()) {
                LockSupport.unpark(thread);
            }
        }
    }

    @Override
    public Timer schedule(long atNanos, Runnable task) {
        Waiting waiting = new Waiting(atNanos, scheduled++, task);
        timers.add(waiting);
        return () -> timers.remove(waiting);
    }

    private void run() {
        while (!closed) {
            Waiting first;
            turn.lock();
            try {
                runWhatIsDue();
                first = timers.peek();
                sleepsFor = first;
            } finally {
                turn.unlock();
            }
            if (!mailbox.isEmpty()) {
                continue;
            }
            if (first == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, first.atNanos - nanos());
            }
        }
    }

    private void runWhatIsDue() {
        Runnable next = nextTask();
        while (next != null && !closed) {
            runOne(next);
            next = nextTask();
        }
    }

    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            onDefect.accept(e);
        } finally {
            Thread.interrupted(); // no thread could sleep with a flag that a task left behind
        }
    }

    private @Nullable Runnable nextTask() {
        Waiting first = timers.peek();
        if (first != null && first.atNanos - nanos() <= 0) {
            timers.poll();
            return first.task;
        }
        return mailbox.poll();
    }

    private static boolean isSooner(@Nullable Waiting timer, @Nullable Waiting other) {
        return timer != null && (other == null || timer.compareTo(other) < 0);
    }

    /** Drops what has not run yet. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private record Waiting(long atNanos, long order, Runnable task) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            long difference = atNanos - other.atNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(order, other.order);
        }
    }
}
