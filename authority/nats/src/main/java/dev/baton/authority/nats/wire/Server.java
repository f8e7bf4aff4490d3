package dev.baton.authority.nats.wire;

import dev.baton.authority.nats.NatsSettings;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One server, and the connection to it, which is made anew whenever it breaks. Thread-safe. */
final class Server {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int LONGEST_PAUSE_SHIFT = 3;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final String endpoint;
    private final NatsSettings settings;
    private final OneCluster cluster;
    private final Map<String, Runnable> hearing = new ConcurrentHashMap<>();
    /** Released when a connection ends. */
    private final Semaphore broken = new Semaphore(0);

    private final Semaphore closing = new Semaphore(0);
    private final Thread keeper;
    private volatile boolean closed;
    private volatile @Nullable Connection connection;
    private volatile @Nullable Dispatcher ear;
    private volatile String trouble;

    /** The name that it goes by among the servers; kept when it is away, because the others know it by that. */
    private volatile @Nullable String name;

    private int failures; // only touched by the keeper

    Server(String endpoint, NatsSettings settings, OneCluster cluster) {
        this.endpoint = endpoint;
        this.settings = settings;
        this.cluster = cluster;
        this.trouble = endpoint + ": not connected yet";
        this.keeper = Thread.ofVirtual().name("nats " + endpoint).unstarted(this::keepConnected);
    }

    void start() {
        keeper.start();
    }

    String endpoint() {
        return endpoint;
    }

    Optional<String> name() {
        return Optional.ofNullable(name);
    }

    private void keepConnected() {
        try {
            while (!closed) {
                connectOnce();
                // Each attempt costs threads, so a server that stays away is tried less often.
                long pauseMillis = PAUSE.toMillis() << Math.min(failures++, LONGEST_PAUSE_SHIFT);
                closing.tryAcquire(pauseMillis, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Returns when there is no connection, or none any more. */
    private void connectOnce() throws InterruptedException {
        broken.drainPermits();
        try (Connection fresh = Connecting.to(endpoint, settings, this::changed)) {
            Optional<String> objection = cluster.objection(fresh.getServerInfo().getCluster());
            if (objection.isPresent()) {
                trouble = endpoint + ": " + objection.get();
                return;
            }
            connection = fresh;
            name = fresh.getServerInfo().getServerName();
            failures = 0;
            listen(fresh);
            while (!closed && fresh.getStatus() == Connection.Status.CONNECTED) {
                broken.acquire();
            }
            trouble = endpoint + ": the connection broke";
        } catch (IOException | IllegalStateException e) {
            trouble = endpoint + ": " + Connecting.explain(e);
        } finally {
            connection = null;
        }
    }

    private void changed(Connection which, ConnectionListener.Events event) {
        if (event == ConnectionListener.Events.CLOSED || event == ConnectionListener.Events.DISCONNECTED) {
            broken.release();
        }
    }

    /** Runs the task, which must not block, whenever somebody publishes to the subject. */
    void hear(String subject, Runnable task) {
        hearing.put(subject, task);
        Dispatcher current = ear;
        if (current != null && current.isActive()) {
            current.subscribe(subject);
        }
    }

    private void listen(Connection fresh) {
        Dispatcher current = fresh.createDispatcher(message -> {
            Runnable task = hearing.get(message.getSubject());
            if (task != null) {
                task.run();
            }
        });
        ear = current;
        hearing.keySet().forEach(current::subscribe);
    }

    /** Publishes without an answer, if that is possible now. */
    void shout(String subject) {
        Connection current = connection;
        if (current != null) {
            try {
                current.publish(subject, new byte[0]);
            } catch (IllegalStateException e) {
                // The connection has just broken; it was a hint only.
                trouble = endpoint + ": " + Connecting.explain(e);
            }
        }
    }

    /** Asks once. Blocks until the answer is there, or the time is over. */
    Reply<Answer> ask(String subject, Headers headers, byte[] body, Duration within) {
        Connection current = connection;
        if (current == null) {
            return new Reply.Unsent<>(trouble);
        }
        long sentNanos = System.nanoTime();
        CompletableFuture<Message> answer;
        try {
            answer = headers.isEmpty()
                    ? current.requestWithTimeout(subject, body, within)
                    : current.requestWithTimeout(subject, headers, body, within);
        } catch (IllegalStateException e) {
            return new Reply.Unsent<>(endpoint + ": " + Connecting.explain(e));
        } catch (IllegalArgumentException e) {
            return new Reply.Refused<>(Refusal.TOO_LARGE, endpoint + ": " + Connecting.explain(e), false, sentNanos);
        }
        try {
            return judge(new Answer(answer.get(within.toNanos(), TimeUnit.NANOSECONDS)), sentNanos);
        } catch (TimeoutException e) {
            return new Reply.Lost<>(endpoint + ": no answer to " + subject + " within " + within, sentNanos);
        } catch (CancellationException e) {
            return new Reply.Lost<>(endpoint + ": the connection broke", sentNanos);
        } catch (ExecutionException e) {
            // jnats completes it so in one case alone: there are no responders.
            return new Reply.Unsent<>(endpoint + ": nobody answers for " + subject);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Lost<>("interrupted", sentNanos);
        }
    }

    private Reply<Answer> judge(Answer answer, long sentNanos) {
        if (!answer.hasError()) {
            return new Reply.Got<>(answer, sentNanos);
        }
        String why = endpoint + ": " + answer.getDescription();
        return answer.isUnavailable()
                ? new Reply.Lost<>(why, sentNanos)
                : new Reply.Refused<>(answer.refusal(), why, false, sentNanos);
    }

    /** What is under way ends at once. */
    void close() {
        closed = true;
        closing.release();
        broken.release();
        Connection current = connection;
        try {
            if (current != null) {
                current.close();
            }
            keeper.join(CLOSE_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
