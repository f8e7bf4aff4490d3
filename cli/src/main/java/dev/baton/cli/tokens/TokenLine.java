package dev.baton.cli.tokens;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Connections to the nodes that serve tokens; knows which one to ask.
 *
 * <p>A node that does not hold the seat names the one that does, and is not asked again while that one answers. Without
 * such a hint the next address has its turn. Thread-safe.
 */
final class TokenLine implements AutoCloseable {

    private static final Metadata.Key<String> HOLDER =
            Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);

    private static final long PAUSE_MILLIS = 100;

    /** No attempt waits longer for one node; another may have taken over. */
    static final Duration ATTEMPT = Duration.ofSeconds(2);

    /** After so much silence during a call the other end is asked whether it is there: it may have vanished without a word. */
    private static final Duration KEEP_ALIVE_TIME = Duration.ofSeconds(10);

    private static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(5);

    /** One question to one node. */
    interface Call<T> {
        T ask(Channel node, Duration patience);
    }

    private final List<String> addresses;
    private final ChannelCredentials credentials;
    private final AtomicReference<String> current;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    TokenLine(List<String> addresses, ChannelCredentials credentials) {
        this.addresses = addresses;
        this.credentials = credentials;
        this.current = new AtomicReference<>(addresses.getFirst());
    }

    List<String> addresses() {
        return addresses;
    }

    /** The node to ask now. */
    String current() {
        return current.get();
    }

    Channel to(String address) {
        return channels.computeIfAbsent(
                address,
                target -> Grpc.newChannelBuilder(target, credentials)
                        .keepAliveTime(KEEP_ALIVE_TIME.toSeconds(), TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .maxInboundMessageSize(Integer.MAX_VALUE) // namespaces are listed in one message, however many
                        .build());
    }

    /** Whether the same question may be answered by another node, or by this one in a moment. */
    static boolean mayRetry(StatusRuntimeException failure) {
        return switch (failure.getStatus().getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, CANCELLED, ABORTED -> true;
            default -> false;
        };
    }

    /** Chooses whom to ask next, after that one failed; true if it is a node that was named as the holder just now. */
    boolean moveOn(String failed, StatusRuntimeException failure) {
        Optional<String> holder = Optional.ofNullable(failure.getTrailers())
                .map(trailers -> trailers.get(HOLDER))
                .filter(address -> !address.isEmpty() && !address.equals(failed));
        if (holder.isPresent()) {
            return current.compareAndSet(failed, holder.get());
        }
        if (failure.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
            int next = (addresses.indexOf(failed) + 1) % addresses.size();
            current.compareAndSet(failed, addresses.get(next));
        }
        return false;
    }

    /**
     * Asks until somebody answers, refuses for good, or the time is over. The call must be safe to repeat, because a lost
     * answer may have had its effect.
     */
    <T> T ask(Duration within, Call<T> call) throws CliFailure, InterruptedException {
        long deadlineNanos = System.nanoTime() + within.toNanos();
        while (true) {
            String address = current();
            long leftNanos = Math.max(1_000_000, deadlineNanos - System.nanoTime());
            try {
                return call.ask(to(address), Duration.ofNanos(Math.min(leftNanos, ATTEMPT.toNanos())));
            } catch (StatusRuntimeException e) {
                boolean late = System.nanoTime() - deadlineNanos > -TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
                if (!mayRetry(e) || late) {
                    throw failure(address, e);
                }
                if (!moveOn(address, e)) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        }
    }

    static CliFailure failure(String address, StatusRuntimeException e) {
        Status status = e.getStatus();
        String why =
                Optional.ofNullable(status.getDescription()).orElse(String.valueOf(status.getCode())) + cause(status);
        return switch (status.getCode()) {
            case NOT_FOUND -> new CliFailure(Exit.NOT_FOUND, why, e);
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNIMPLEMENTED ->
                new CliFailure(
                        Exit.UNREACHABLE,
                        "no tokens from " + address + ": " + status.getCode() + ": " + why
                                + " (expected: a node that serves tokens; is it running? over TLS, with --trust,"
                                + " --certificate and --key?)",
                        e);
            default -> new CliFailure(Exit.REFUSED, status.getCode() + ": " + why, e);
        };
    }

    /** What lies under it: that a connection broke says nothing, that a certificate is not believed says what to do. */
    private static String cause(Status status) {
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
