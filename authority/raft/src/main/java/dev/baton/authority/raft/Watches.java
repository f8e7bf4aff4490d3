package dev.baton.authority.raft;

import dev.baton.authority.SeatEvent;
import dev.baton.core.SeatId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All watches of a member, and the one thread that tells the listeners, so that applying never waits for them. */
final class Watches implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);

    private final List<SeatWatch> watches = new CopyOnWriteArrayList<>();
    private final Signal news = new Signal();
    private final Thread thread;
    private volatile boolean closed;

    Watches(String member) {
        thread =
                Thread.ofPlatform().name("baton-raft-events-" + member).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void add(SeatWatch watch) {
        watches.add(watch);
        if (closed) {
            watch.close();
        }
    }

    void remove(SeatWatch watch) {
        watches.remove(watch);
    }

    void offer(SeatId seat, SeatEvent event) {
        for (SeatWatch watch : watches) {
            if (watch.seat().equals(seat)) {
                watch.offer(event);
            }
        }
        news.raise();
    }

    void offerAll(SeatEvent event) {
        watches.forEach(watch -> watch.offer(event));
        news.raise();
    }

    /** Something was offered to one watch directly. */
    void wake() {
        news.raise();
    }

    private void run() {
        while (!closed) {
            long seen = news.changes();
            for (SeatWatch watch : watches) {
                try {
                    watch.deliver();
                } catch (RuntimeException e) {
                    LOG.error(
                            "a listener of {} failed (expected: listeners never throw); it missed an event",
                            watch.seat(),
                            e);
                }
            }
            news.await(seen, 1_000);
        }
    }

    @Override
    public void close() {
        closed = true;
        watches.forEach(SeatWatch::close);
        news.raise();
        if (Thread.currentThread().threadId() != thread.threadId()) {
            try {
                thread.join(1_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
