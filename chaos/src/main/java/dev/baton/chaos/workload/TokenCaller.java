package dev.baton.chaos.workload;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Asks for tokens over gRPC, each request under an id of its own, so that a retry brings the same tokens. */
final class TokenCaller extends Client {

    private static final long PATIENCE_MILLIS = 3000;
    private static final int MOST_TOKENS = 20;

    private final String guarantee;
    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private int names;
    private long sequence;
    private int count;

    /** The namespace has the name of its guarantee. */
    TokenCaller(String name, String guarantee, long seed, Scene scene) {
        super(name, seed, scene);
        this.guarantee = guarantee;
    }

    @Override
    Request next(Random dice) {
        sequence++;
        count = dice.nextInt(1, MOST_TOKENS + 1);
        return new Request.Next(guarantee, count, guarantee);
    }

    @Override
    Optional<Answer> ask(String node) {
        TokenRequest request = TokenRequest.newBuilder()
                .setNamespace(guarantee)
                .setCount(count)
                .setClientId(name() + "-" + names)
                .setSequence(sequence)
                .build();
        try {
            TokenResponse got = TokenGeneratorGrpc.newBlockingStub(channel(node))
                    .withDeadlineAfter(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .nextToken(request);
            return Optional.of(new Answer.Issued(
                    got.getStartToken(),
                    got.getEndToken() - 1,
                    Math.max(1, got.getStep()),
                    got.getRevision(),
                    got.getEpoch(),
                    got.getHeight()));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED) {
                hangUp(node);
            }
            return switch (e.getStatus().getCode()) {
                // Too old to be recognised, or never to be served: this one will not be answered any more.
                case FAILED_PRECONDITION, INVALID_ARGUMENT, NOT_FOUND, OUT_OF_RANGE ->
                    Optional.of(new Answer.Unknown(String.valueOf(e.getStatus())));
                default -> Optional.empty();
            };
        }
    }

    private ManagedChannel channel(String node) {
        return channels.computeIfAbsent(
                node,
                to -> Grpc.newChannelBuilder(cluster().dutyForClients(to), InsecureChannelCredentials.create())
                        .build());
    }

    /** Whoever does not answer may sit behind a connection that carries nothing any more: the next call opens another. */
    private void hangUp(String node) {
        ManagedChannel silent = channels.remove(node);
        if (silent != null) {
            silent.shutdownNow();
        }
    }

    /** A request with changed bytes may have taken the id of one that is still to come. */
    @Override
    void mistrust() {
        names++;
        sequence = 0;
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
