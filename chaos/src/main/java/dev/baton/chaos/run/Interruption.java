package dev.baton.chaos.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run end properly when the process is told to end (Ctrl-C, SIGTERM): the thread that runs it is interrupted, and
 * the process waits until that thread has judged what there is, written its report and closed this.
 */
final class Interruption implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Thread running = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "end the run");

    private Interruption() {}

    /** From now on the calling thread is interrupted when the process is told to end. */
    static Interruption expected() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end() {
        running.interrupt();
        try {
            if (!closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("the run did not end within " + PATIENCE.toSeconds() + " s; there is no report");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // We are on our way out already.
        }
    }
}
