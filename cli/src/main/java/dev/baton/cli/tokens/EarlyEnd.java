package dev.baton.cli.tokens;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a run of {@code hammer} say what it has when the process is told to end: Ctrl-C, SIGTERM. */
final class EarlyEnd implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;

    private EarlyEnd(HammerTime time) {
        hook = new Thread(() -> end(time), "end");
    }

    /** From now on the run ends early, and the process waits until this is closed. */
    static EarlyEnd expected(HammerTime time) {
        EarlyEnd early = new EarlyEnd(time);
        Runtime.getRuntime().addShutdownHook(early.hook);
        return early;
    }

    private void end(HammerTime time) {
        time.endNow();
        try {
            if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("the run did not end within " + PATIENCE_SECONDS + " s; there are no figures");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and waited for this.
        }
    }
}
