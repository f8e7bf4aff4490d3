package dev.baton.authority.nats.wire;

import dev.baton.authority.nats.NatsSettings;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The servers of NATS, a connection to each. One of them is asked as long as it answers; when it does not, the next.
 *
 * <p>A request that got no answer is sent to the next server while the bound allows. So every request that goes through
 * here must bear being carried out twice: ours read, or name the sequence that they expect, and then the second copy
 * finds the first one's work.
 */
public final class Servers implements AutoCloseable {

    /** So many servers can be tried within one bound, even if each keeps silent. */
    private static final int TRIES = 3;

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final List<Server> servers;
    private final Duration requestTimeout;
    private final AtomicInteger preferred = new AtomicInteger();
    private final Semaphore closing = new Semaphore(0);
    private volatile boolean closed;

    public Servers(NatsSettings settings) {
        OneCluster cluster = new OneCluster(settings.servers().size());
        this.servers = settings.servers().stream()
                .map(endpoint -> new Server(endpoint, settings, cluster))
                .toList();
        this.requestTimeout = settings.requestTimeout();
        servers.forEach(Server::start);
    }

    public boolean isClosed() {
        return closed;
    }

    /** The whole time that one call to the authority may take. */
    public Bound bound() {
        return Bound.in(requestTimeout);
    }

    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** Does something that blocks on a thread of its own. */
    public <R> CompletableFuture<R> later(Supplier<R> work) {
        return CompletableFuture.supplyAsync(work, Servers::inTheBackground);
    }

    /** A virtual thread may wait; after a close there is nothing left to wait for. */
    public static void inTheBackground(Runnable work) {
        Thread.ofVirtual().name("nats").start(work);
    }

    /** Runs the task, which must not block, whenever somebody publishes to the subject; perhaps more than once. */
    public void hear(String subject, Runnable task) {
        servers.forEach(server -> server.hear(subject, task));
    }

    /** Tells whoever listens; nobody may rely on it. */
    public void shout(String subject) {
        servers.get(preferred.get()).shout(subject);
    }

    /**
     * What one server was asked, and what came of it.
     *
     * @param name what the other servers call it; empty if it was never reached
     */
    public record Told(String endpoint, Optional<String> name, Reply<Answer> reply) {}

    /** The same question through each of them, at the same time, and no second try: who is silent is to be seen. */
    public List<Told> askEach(String subject, Duration within) {
        List<CompletableFuture<Told>> asked = servers.stream()
                .map(server -> later(() -> {
                    Reply<Answer> reply = server.ask(subject, new Headers(), new byte[0], within);
                    return new Told(server.endpoint(), server.name(), reply);
                }))
                .toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    public Reply<Answer> ask(String subject, String body, Bound by) {
        return ask(subject, new Headers(), body.getBytes(StandardCharsets.UTF_8), by);
    }

    public Reply<Answer> ask(String subject, Headers headers, byte[] body, Bound by) {
        long firstSentNanos = System.nanoTime();
        boolean lost = false;
        String trouble = "no time left for another request";
        for (int tries = 1; !closed && by.left().isPositive(); tries++) {
            int asked = preferred.get();
            Duration share = requestTimeout.dividedBy(TRIES);
            Duration left = by.left();
            switch (servers.get(asked).ask(subject, headers, body, share.compareTo(left) < 0 ? share : left)) {
                case Reply.Got<Answer> got -> {
                    return new Reply.Got<>(got.value(), lost ? firstSentNanos : got.sentNanos());
                }
                case Reply.Refused<Answer> refused -> {
                    return new Reply.Refused<>(
                            refused.refusal(), refused.why(), lost, lost ? firstSentNanos : refused.sentNanos());
                }
                case Reply.Unsent<Answer> unsent -> trouble = unsent.why();
                case Reply.Lost<Answer> gone -> {
                    firstSentNanos = lost ? firstSentNanos : gone.sentNanos();
                    lost = true;
                    trouble = gone.why();
                }
            }
            preferred.compareAndSet(asked, (asked + 1) % servers.size());
            if (tries % servers.size() == 0) {
                pause(by);
            }
        }
        String why = closed ? "the authority is closed" : trouble;
        return lost ? new Reply.Lost<>(why, firstSentNanos) : new Reply.Unsent<>(why);
    }

    /** Everybody was asked; a moment later one of them may know more. */
    private void pause(Bound by) {
        try {
            long nanos = Math.min(PAUSE.toNanos(), Math.max(1, by.left().toNanos()));
            if (closing.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                closing.release(); // for the next one who waits
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Requests under way end as lost. */
    @Override
    public void close() {
        closed = true;
        closing.release();
        servers.forEach(Server::close);
    }
}
