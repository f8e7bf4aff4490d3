package dev.baton.node.presence;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import dev.baton.node.metrics.CallMeter;
import dev.baton.wire.node.v1.AnnounceResponse;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells every peer once a second that this node is there.
 *
 * <p>A peer that does not answer is asked less and less often, up to every eighth second; when it comes back, it
 * announces itself anyway.
 */
public final class Announcer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofMillis(800);
    private static final int LONGEST_BACKOFF = 8;

    private final Introductions introductions;
    private final PeerChannels channels;
    private final Supplier<Set<String>> addresses;
    private final CallMeter calls;
    private final Runnable eachRound;
    private final Map<String, Backoff> backoffs = new HashMap<>();
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("presence").factory());

    /**
     * Prepares; nothing is sent before {@link #start}.
     *
     * @param addresses whom to tell: the configured peers, and the holders
     * @param eachRound done once a second, too
     */
    public Announcer(
            Introductions introductions,
            PeerChannels channels,
            Supplier<Set<String>> addresses,
            CallMeter calls,
            Runnable eachRound) {
        this.introductions = introductions;
        this.channels = channels;
        this.addresses = addresses;
        this.calls = calls;
        this.eachRound = eachRound;
    }

    /** How many rounds to leave out, after how many failures. */
    private static final class Backoff {
        private final AtomicInteger failures = new AtomicInteger();
        private int skipped;

        boolean skips() {
            int wait = Math.min(LONGEST_BACKOFF, 1 << Math.min(failures.get(), 10)) - 1;
            skipped = skipped < wait ? skipped + 1 : 0;
            return skipped != 0;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    public void start() {
        beat.scheduleAtFixedRate(this::round, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void round() {
        try {
            eachRound.run();
            for (String address : addresses.get()) {
                Backoff backoff = backoffs.computeIfAbsent(address, key -> new Backoff());
                if (!backoff.skips()) {
                    announce(address, backoff);
                }
            }
        } catch (RuntimeException e) {
            LOG.error("announcing failed", e); // and is tried again in a second
        }
    }

    private void announce(String address, Backoff backoff) {
        ManagedChannel channel = channels.to(address);
        if (backoff.failures.get() > 0) {
            channel.resetConnectBackoff(); // our own backoff is enough
        }
        Futures.addCallback(
                NodeServiceGrpc.newFutureStub(channel)
                        .withDeadlineAfter(DEADLINE)
                        .announce(introductions.request(false)),
                new FutureCallback<AnnounceResponse>() {
                    @Override
                    public void onSuccess(AnnounceResponse response) {
                        calls.succeeded();
                        backoff.failures.set(0);
                        introductions.answered(response, false);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        calls.failed();
                        backoff.failures.incrementAndGet();
                        LOG.debug("{} does not answer: {}", address, failure.toString());
                    }
                },
                MoreExecutors.directExecutor());
    }

    /** Asks all peers at once, before this node joins, where they are configured differently; absent ones do not count. */
    public List<String> askAround() {
        List<Future<AnnounceResponse>> answers = new ArrayList<>();
        for (String address : addresses.get()) {
            answers.add(NodeServiceGrpc.newFutureStub(channels.to(address))
                    .withDeadlineAfter(DEADLINE)
                    .announce(introductions.request(true)));
        }
        List<String> differences = new ArrayList<>();
        for (Future<AnnounceResponse> answer : answers) {
            try {
                differences.addAll(introductions.answered(answer.get(), true));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                LOG.debug(
                        "a peer does not answer yet: {}",
                        e.getCause() == null ? "" : e.getCause().toString());
            }
        }
        return differences;
    }

    @Override
    public void close() {
        beat.shutdownNow();
    }
}
