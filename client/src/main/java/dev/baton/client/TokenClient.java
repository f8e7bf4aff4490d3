package dev.baton.client;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the token service: follows the holder, batches callers, tries again, checks what it gets.
 *
 * <p>Make one for a process and share it; it is safe for all threads. {@link #close} waits for what is under way.
 */
public final class TokenClient implements AutoCloseable {

    /** Deadlines of single callers are kept this exactly. */
    private static final long REVIEW_NANOS = 20_000_000;

    /** When a call's time is up it has been told so much later at most, unless a caller holds up the telling. */
    private static final long TELLING_NANOS = 1_000_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(TokenClient.class);

    private final String clientId;
    private final ClientSettings settings;
    private final Surroundings surroundings;
    private final Runnable surroundingsEnd;
    private final Addresses addresses;
    private final Channels channels;
    private final Breaker breaker;
    private final Counters counters = new Counters();
    private final Tellings tellings;
    private final Requests requests;
    private final Map<String, TokenNamespace> namespaces = new ConcurrentHashMap<>();
    private final Map<String, OrderGuard> guards = new ConcurrentHashMap<>();
    private final Set<TokenStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong streamsMade = new AtomicLong();
    private final Object endings = new Object();
    private volatile boolean closing;
    private volatile boolean closed;

    TokenClient(
            String clientId,
            ClientSettings settings,
            ChannelCredentials credentials,
            Consumer<ManagedChannelBuilder<?>> customiser,
            Surroundings surroundings,
            Runnable surroundingsEnd) {
        this.clientId = clientId;
        this.settings = settings;
        this.surroundings = surroundings;
        this.surroundingsEnd = surroundingsEnd;
        this.addresses = new Addresses(settings.addresses());
        this.channels = new Channels(credentials, customiser, surroundings);
        this.breaker = new Breaker(settings.breaker(), surroundings.nanoClock());
        this.tellings = new Tellings(surroundings.worker(), this::somethingEnded);
        this.requests =
                new Requests(clientId, settings, surroundings, addresses, channels, breaker, counters, tellings);
        surroundings.timer().after(REVIEW_NANOS, this::review);
    }

    /** Begins a client of the nodes at these addresses, each {@code host:port}; any of them will do, all are better. */
    public static TokenClientBuilder builder(String... addresses) {
        return new TokenClientBuilder(List.of(addresses));
    }

    /** A namespace; it need not exist yet, the first call will tell. */
    public TokenNamespace namespace(String name) {
        return namespaces.computeIfAbsent(name, this::make);
    }

    /** The shards {@code name/0}, {@code name/1} … of a namespace in turn: unique among all of them, but in no order. */
    public ShardedTokens sharded(String name, int shards) {
        if (shards < 1) {
            throw new IllegalArgumentException("shards: " + shards + " (expected: 1 or more)");
        }
        return new ShardedTokens(IntStream.range(0, shards)
                .mapToObj(index -> namespace(name + "/" + index))
                .toList());
    }

    private TokenNamespace make(String name) {
        OrderGuard guard = guards.computeIfAbsent(name, same -> new OrderGuard(settings.checkOrder()));
        Batcher batcher = new Batcher(name, settings, surroundings, requests, tellings, guard, counters);
        if (closing) {
            batcher.beginClosing();
        }
        return new TokenNamespace(
                name, batcher, count -> range(name, guard, count), chunk -> stream(name, guard, chunk));
    }

    private CompletableFuture<TokenRange> range(String name, OrderGuard guard, long count) {
        if (closing) {
            return CompletableFuture.failedFuture(clientClosed(name));
        }
        CompletableFuture<TokenRange> answer = new CompletableFuture<>();
        long deadlineNanos =
                surroundings.nanoClock().getAsLong() + settings.timeout().toNanos();
        requests.send(name, count, deadlineNanos, guard, new Request.Outcome() {
            @Override
            public void answered(TokenRange range) {
                (answer.complete(range) ? counters.tokens : counters.unused).add(range.count());
            }

            @Override
            public void failed(TokenException why) {
                answer.completeExceptionally(why);
            }
        });
        return answer;
    }

    private TokenStream stream(String name, OrderGuard guard, long chunk) {
        if (closing) {
            throw clientClosed(name);
        }
        StreamCalls calls = new StreamCalls(
                requests,
                addresses,
                channels,
                breaker,
                counters,
                surroundings,
                settings.timeout().toNanos(),
                settings.attemptTimeout().toNanos());
        TokenStream stream = new TokenStream(
                name,
                chunk,
                clientId + ":" + streamsMade.incrementAndGet(), // its sequence numbers must follow one another
                calls,
                guard.new Reading(),
                new Tries(settings.tries(), requests.backoff()),
                streams::remove);
        streams.add(stream);
        if (closing) {
            stream.close(); // who closed the client may not have seen it
        }
        return stream;
    }

    private static TokenException clientClosed(String namespace) {
        return new TokenException(namespace, Status.Code.CANCELLED, "this client is closed");
    }

    private void review() {
        try {
            namespaces.values().forEach(TokenClient::review);
        } finally {
            if (!closed) {
                surroundings.timer().after(REVIEW_NANOS, this::review);
            }
        }
    }

    /** One namespace's trouble must not keep the others' callers from hearing that their time is up. */
    private static void review(TokenNamespace namespace) {
        try {
            namespace.batcher().review();
        } catch (RuntimeException e) {
            LOG.error("{}: the look at its callers failed; there will be another one", namespace.name(), e);
        }
    }

    /** What this client has done so far. */
    public ClientStatistics statistics() {
        return new ClientStatistics(
                counters.tokens.sum(),
                counters.requests.sum(),
                counters.attempts.sum(),
                counters.retries.sum(),
                counters.redirects.sum(),
                counters.failures.sum(),
                counters.stale.sum(),
                counters.unused.sum(),
                counters.timedOut.sum(),
                counters.brokenCircuit.sum(),
                namespaces.values().stream()
                        .mapToLong(namespace -> namespace.batcher().waiting())
                        .sum(),
                breaker.state(),
                addresses.current());
    }

    /**
     * Refuses new calls, ends streams, waits until every call under way is answered or out of time, then disconnects.
     *
     * <p>An interrupt ends the waiting; what is still under way then fails. It may be called from what is attached to a
     * future: what that thread is still to tell to others is told afterwards. It waits a second longer than a call may
     * take and no more, whatever else is attached to futures may be waiting for.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closing = true;
        tellings.leaveOutThisThread();
        long deadlineNanos =
                surroundings.nanoClock().getAsLong() + settings.timeout().toNanos() + TELLING_NANOS;
        namespaces.values().forEach(namespace -> namespace.batcher().beginClosing());
        List.copyOf(streams).forEach(TokenStream::close);
        awaitIdle(deadlineNanos);
        namespaces.values().forEach(namespace -> namespace.batcher().close());
        awaitIdle(deadlineNanos); // whoever slipped in between the first look and the closing of the line
        closed = true;
        requests.stop();
        channels.close();
        surroundingsEnd.run();
    }

    private void awaitIdle(long deadlineNanos) {
        synchronized (endings) {
            try {
                while (!idle() && deadlineNanos - surroundings.nanoClock().getAsLong() > 0) {
                    endings.wait(REVIEW_NANOS / 1_000_000);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** In this order: what is decided leaves the requests, and then the batches, only when it is being told. */
    private boolean idle() {
        return requests.idle()
                && namespaces.values().stream()
                        .allMatch(namespace -> namespace.batcher().idle())
                && tellings.none();
    }

    private void somethingEnded() {
        if (closing) {
            synchronized (endings) {
                endings.notifyAll();
            }
        }
    }
}
