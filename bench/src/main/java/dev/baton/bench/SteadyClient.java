package dev.baton.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;

/** Sends requests at a fixed rate, however long answers take, and keeps what became of every one. */
final class SteadyClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * A request.
     *
     * @param dueNanos when it was due: a client that cannot send in time must not hide that it had to wait
     */
    record Sent(long dueNanos, long answeredNanos, boolean well) {
        long tookNanos() {
            return answeredNanos - dueNanos;
        }

        boolean overlaps(long fromNanos, long toNanos) {
            return dueNanos <= toNanos && answeredNanos >= fromNanos;
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("steady-client").daemon().factory());
    private final LongFunction<URI> uri;
    private final AtomicLong number = new AtomicLong();
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final Phaser underWay = new Phaser(1);
    private final AtomicReference<String> lastFailure = new AtomicReference<>("");

    SteadyClient(int perSecond, LongFunction<URI> uri) {
        this.uri = uri;
        var unused =
                clock.scheduleAtFixedRate(this::send, 0, TimeUnit.SECONDS.toNanos(1) / perSecond, TimeUnit.NANOSECONDS);
    }

    private void send() {
        long dueNanos = System.nanoTime();
        underWay.register();
        var unused = client.sendAsync(
                        HttpRequest.newBuilder(uri.apply(number.incrementAndGet()))
                                .timeout(PATIENCE)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .whenComplete((response, failure) -> {
                    boolean well = failure == null && response.statusCode() == 200;
                    if (!well) {
                        lastFailure.set(failure == null ? response.body() : failure.toString());
                    }
                    sent.add(new Sent(dueNanos, System.nanoTime(), well));
                    underWay.arriveAndDeregister();
                });
    }

    List<Sent> finished() {
        return List.copyOf(sent);
    }

    String lastFailure() {
        return String.valueOf(lastFailure.get()).strip();
    }

    /** Sends no more, and waits for the last answers. */
    @Override
    public void close() {
        clock.shutdownNow();
        underWay.arriveAndAwaitAdvance();
        client.shutdownNow();
    }
}
