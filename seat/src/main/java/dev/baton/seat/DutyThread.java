package dev.baton.seat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** The duty thread of a running node. */
final class DutyThread implements DutyRunner {

    private final BlockingQueue<Supplier<Runnable>> calls = new LinkedBlockingQueue<>(64);
    private final LoopThread loop;
    private final Thread thread;
    private final Object running = new Object();
    private boolean busy;
    private volatile boolean closed;

    DutyThread(String name, LoopThread loop) {
        this.loop = loop;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::work);
        thread.start();
    }

    @Override
    public void run(Supplier<Runnable> call) {
        calls.add(call);
    }

    private void work() {
        while (!closed) {
            try {
                Supplier<Runnable> call = calls.take();
                loop.runHere(made(call));
            } catch (InterruptedException e) {
                // Not by this class: whoever wanted to stop something found it finished.
            }
        }
    }

    private Runnable made(Supplier<Runnable> call) {
        synchronized (running) {
            busy = true;
        }
        try {
            return call.get();
        } finally {
            synchronized (running) {
                busy = false;
                Thread.interrupted(); // a late interrupt must hit neither the loop nor the next call
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

    /** Ends the thread after the call that it is at, which is interrupted. */
    @Override
    public void close() {
        closed = true;
        calls.clear();
        interrupt();
        calls.add(() -> () -> {}); // it may wait for one
    }
}
