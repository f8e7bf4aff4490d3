package dev.baton.seat;

import java.util.PriorityQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The loop of a running node: a mailbox, a few timers, and one thread that owns them. */
final class LoopThread implements Loop, AutoCloseable {

    /** Far more than can be under way at once: one numbered effect, a handful of engine events, some operators. */
    private static final int MAILBOX_SIZE = 4096;

    private final BlockingQueue<Runnable> mailbox = new ArrayBlockingQueue<>(MAILBOX_SIZE);
    private final PriorityQueue<Waiting> timers = new PriorityQueue<>();
    private final Consumer<Throwable> onDefect;
    private final Thread thread;
    private long scheduled;
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
        if (!closed && !mailbox.offer(task)) {
            throw new IllegalStateException(
                    "the mailbox of " + thread.getName() + " is full (" + MAILBOX_SIZE + "): its thread hangs");
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
            try {
                Runnable next = nextTask();
                if (next != null) {
                    next.run();
                }
            } catch (InterruptedException e) {
                return; // only close() interrupts this thread
            } catch (Throwable e) {
                onDefect.accept(e);
            }
        }
    }

    private @Nullable Runnable nextTask() throws InterruptedException {
        Waiting first = timers.peek();
        if (first == null) {
            return mailbox.take();
        }
        long waitNanos = first.atNanos - nanos();
        if (waitNanos <= 0) {
            timers.poll();
            return first.task;
        }
        return mailbox.poll(waitNanos, TimeUnit.NANOSECONDS);
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
