package dev.baton.authority.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Closes what may never be done with closing.
 *
 * <p>The engine's server, as it closes, waits for threads of its own, and one of those can wait for a lock that the
 * closing thread has: both would wait for ever, and so would whoever stops a node.
 */
final class BoundedClose {

    /** Closing takes a second or two; a disk that is busy has ten times that. */
    static final Duration LIMIT = Duration.ofSeconds(20);

    private BoundedClose() {}

    /** What closes. */
    @FunctionalInterface
    interface Closing {
        void close() throws IOException;
    }

    /**
     * Returns when it is closed, or after the limit; an interrupt does not shorten that. What was not done by then goes
     * on by itself, on a thread that does not keep the process alive.
     *
     * @throws IOException if closing failed
     */
    static void within(Duration limit, String what, Closing closing) throws IOException {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().name("baton-raft-close").daemon().start(() -> {
            try {
                closing.close();
                closed.complete(null);
            } catch (IOException | RuntimeException | Error e) {
                closed.completeExceptionally(e);
            }
        });
        long endNanos = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    closed.get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            RaftAuthority.LOG.warn(
                    "{} is not closed after {} and is left to itself; it stands at {}", what, limit, stackOf(thread));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String stackOf(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }
}
