package dev.baton.seat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The duty thread of a running node. */
final class DutyThread implements DutyRunner {

    private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>(64);
    private final Thread thread;
    private final Object running = new Object();
    private boolean busy;
    private volatile boolean closed;

    DutyThread(String name) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::work);
        thread.start();
    }

    @Override
    public void run(Runnable call) {
        calls.add(call);
    }

    private void work() {
        while (!closed) {
            try {
                Runnable call = calls.take();
                synchronized (running) {
                    busy = true;
                }
                call.run();
            } catch (InterruptedException e) {
                // An interrupt that arrived between two calls: whoever wanted to stop something found it finished.
            } finally {
                synchronized (running) {
                    busy = false;
                    Thread.interrupted(); // a late interrupt must not hit the next call
                }
            }
        }
    }

    @Override
    public void interrupt() {
        synchronized (running) {
            if (busy) {
                thread.interrupt();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        calls.clear();
        thread.interrupt();
    }
}
