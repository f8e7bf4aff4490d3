package dev.baton.bench.load;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A question that blocks, on a thread of its caller's own. */
public final class BlockingCall implements AsyncCall, AutoCloseable {

    private final Callable<?> question;
    private final ExecutorService thread;

    public BlockingCall(String name, Callable<?> question) {
        this.question = question;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    @Override
    public CompletionStage<?> ask() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return question.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                thread);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
