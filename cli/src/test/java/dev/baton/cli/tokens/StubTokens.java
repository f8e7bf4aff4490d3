package dev.baton.cli.tokens;

import dev.baton.wire.token.v1.StreamRequest;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.Namespace;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.Stretch;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/** Three nodes that serve tokens over real connections; one holds the seat, and all know one ledger. */
final class StubTokens implements AutoCloseable {

    private static final Metadata.Key<String> HOLDER =
            Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);

    private final List<Server> servers = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final Map<String, Namespace.Builder> namespaces = new TreeMap<>();
    private final Map<String, List<Stretch.Builder>> stretches = new HashMap<>();
    private final Map<String, TokenResponse> answered = new HashMap<>();
    private int holder;
    private long epoch = 1;
    private long height = 1;
    private int answersToLose;
    private int messagesUntilBreak = Integer.MAX_VALUE;
    private int messagesUntilSilence = Integer.MAX_VALUE;
    private int silent = -1;
    private LongUnaryOperator fault = token -> token;
    private boolean remembersAll = true;

    StubTokens() throws IOException {
        for (int i = 0; i < 3; i++) {
            servers.add(Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .addService(new Generator(i))
                    .addService(new Namespaces(i))
                    .build()
                    .start());
            addresses.add("127.0.0.1:" + servers.getLast().getPort());
        }
    }

    String at() {
        return String.join(",", addresses);
    }

    String address(int node) {
        return addresses.get(node);
    }

    synchronized void moveTo(int node) {
        holder = node;
        epoch++;
    }

    /** The next answers are lost on their way, after they were committed. */
    synchronized void loseAnswers(int count) {
        answersToLose = count;
    }

    /** Then the holder of the stream loses the seat to the next node. */
    synchronized void breakStreamAfter(int messages) {
        messagesUntilBreak = messages;
    }

    /** Then the holder of the stream is frozen: its connections stay open, and the next node holds the seat. */
    synchronized void freezeStreamAfter(int messages) {
        messagesUntilSilence = messages;
    }

    /** Hands out another token in place of this one. */
    synchronized void spoil(LongUnaryOperator newFault) {
        fault = newFault;
    }

    /** The ledger forgets what was handed out, as it must never. */
    synchronized void forgetStretches() {
        stretches.clear();
    }

    /** The ledger remembers the terms from here on only, as it does after many. */
    synchronized void rememberOnlyFromHere() {
        stretches.clear();
        remembersAll = false;
    }

    private long rememberedFrom(String name) {
        Namespace.Builder namespace = namespaces.get(name);
        return remembersAll || namespace == null ? 1 : namespace.getNext();
    }

    void stop(int node) throws InterruptedException {
        servers.get(node).shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }

    private synchronized StatusRuntimeException elsewhere() {
        Metadata trailers = new Metadata();
        trailers.put(HOLDER, address(holder));
        return Status.UNAVAILABLE.withDescription("not the holder").asRuntimeException(trailers);
    }

    private synchronized TokenResponse next(int node, String name, long count, String client, long sequence) {
        if (node != holder) {
            throw elsewhere();
        }
        if (count < 1) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("count: " + count + " (expected: 1 or more)")
                    .asRuntimeException();
        }
        String id = client + "/" + sequence;
        TokenResponse answer = answered.get(id);
        if (answer == null) {
            answer = reserve(name, count, sequence);
            answered.put(id, answer.toBuilder().setDuplicate(true).build());
        }
        if (answersToLose > 0) {
            answersToLose--;
            throw Status.UNAVAILABLE.withDescription("the answer was lost").asRuntimeException();
        }
        return answer;
    }

    private TokenResponse reserve(String name, long count, long sequence) {
        Namespace.Builder namespace = namespaces.computeIfAbsent(name, this::fresh);
        if (namespace.getFrozen()) {
            throw Status.FAILED_PRECONDITION
                    .withDescription(name + " is frozen")
                    .asRuntimeException();
        }
        long step = namespace.getStep();
        long first = namespace.getNext();
        long end = first + (count - 1) * step + 1;
        namespace.setNext(first + count * step).setReserved(namespace.getReserved() + count);
        height++;
        cover(name, first, end);
        long start = fault.applyAsLong(first);
        return TokenResponse.newBuilder()
                .setNamespace(name)
                .setStartToken(start)
                .setEndToken(start + end - first)
                .setStep(step)
                .setRevision(epoch)
                .setEpoch(epoch)
                .setHeight(height)
                .setSequence(sequence)
                .build();
    }

    private Namespace.Builder fresh(String name) {
        return Namespace.newBuilder()
                .setName(name)
                .setGuarantee(Guarantee.STRICT)
                .setStart(1)
                .setStep(1)
                .setNext(1)
                .setCreatedHeight(height);
    }

    private void cover(String name, long first, long end) {
        List<Stretch.Builder> known = stretches.computeIfAbsent(name, ignored -> new ArrayList<>());
        if (known.isEmpty() || known.getLast().getEpoch() != epoch) {
            known.add(Stretch.newBuilder()
                    .setEpoch(epoch)
                    .setRevision(epoch)
                    .setFirstToken(first)
                    .setFirstHeight(height));
        }
        known.getLast().setEndToken(end).setGapFrom(end).setLastHeight(height);
    }

    private synchronized NamespacesResponse listed(String prefix) {
        NamespacesResponse.Builder response = NamespacesResponse.newBuilder().setHeight(height);
        namespaces.values().stream()
                .filter(namespace -> namespace.getName().startsWith(prefix))
                .forEach(response::addNamespaces);
        return response.build();
    }

    private final class Generator extends TokenGeneratorGrpc.TokenGeneratorImplBase {

        private final int node;

        Generator(int node) {
            this.node = node;
        }

        @Override
        public void nextToken(TokenRequest request, StreamObserver<TokenResponse> client) {
            answer(
                    client,
                    () -> next(
                            node,
                            request.getNamespace(),
                            request.getCount(),
                            request.getClientId(),
                            request.getSequence()));
        }

        @Override
        public void streamTokens(StreamRequest request, StreamObserver<TokenResponse> client) {
            try {
                for (long i = 0; i < request.getMessages(); i++) {
                    breakIfDue();
                    if (isSilent()) {
                        return; // neither an answer nor an end
                    }
                    client.onNext(next(
                            node,
                            request.getNamespace(),
                            request.getChunk(),
                            request.getClientId(),
                            request.getFirstSequence() + i));
                }
                client.onCompleted();
            } catch (StatusRuntimeException e) {
                client.onError(e);
            }
        }

        private void breakIfDue() {
            synchronized (StubTokens.this) {
                if (node == holder && messagesUntilBreak-- == 0) {
                    moveTo((node + 1) % 3);
                }
                if (node == holder && messagesUntilSilence-- == 0) {
                    silent = node;
                    moveTo((node + 1) % 3);
                }
            }
        }

        private boolean isSilent() {
            synchronized (StubTokens.this) {
                return node == silent;
            }
        }
    }

    private final class Namespaces extends TokenNamespacesGrpc.TokenNamespacesImplBase {

        private final int node;

        Namespaces(int node) {
            this.node = node;
        }

        @Override
        public void create(CreateRequest request, StreamObserver<NamespacesResponse> client) {
            answer(client, () -> {
                synchronized (StubTokens.this) {
                    if (node != holder) {
                        throw elsewhere();
                    }
                    namespaces.put(
                            request.getName(),
                            fresh(request.getName())
                                    .setGuarantee(request.getGuarantee())
                                    .setStep(Math.max(1, request.getStep()))
                                    .setStart(Math.max(1, request.getStart()))
                                    .setNext(Math.max(1, request.getStart()))
                                    .setCeiling(request.getCeiling())
                                    .setMaxCount(request.getMaxCount())
                                    .setShards(request.getShards()));
                    return listed(request.getName());
                }
            });
        }

        @Override
        public void freeze(FreezeRequest request, StreamObserver<NamespacesResponse> client) {
            answer(client, () -> {
                synchronized (StubTokens.this) {
                    if (node != holder) {
                        throw elsewhere();
                    }
                    Optional.ofNullable(namespaces.get(request.getName()))
                            .orElseThrow(() -> Status.NOT_FOUND
                                    .withDescription("namespace: " + request.getName() + " (expected: one that exists)")
                                    .asRuntimeException())
                            .setFrozen(request.getFrozen());
                    return listed(request.getName());
                }
            });
        }

        @Override
        public void list(ListRequest request, StreamObserver<NamespacesResponse> client) {
            answer(client, () -> listed(request.getPrefix()));
        }

        @Override
        public void history(HistoryRequest request, StreamObserver<HistoryResponse> client) {
            answer(client, () -> {
                synchronized (StubTokens.this) {
                    HistoryResponse.Builder response = HistoryResponse.newBuilder()
                            .setName(request.getName())
                            .setRememberedFrom(rememberedFrom(request.getName()));
                    stretches.getOrDefault(request.getName(), List.of()).forEach(response::addStretches);
                    return response.build();
                }
            });
        }
    }

    private interface Question<T> {
        T answer();
    }

    private static <T> void answer(StreamObserver<T> client, Question<T> question) {
        try {
            client.onNext(question.answer());
            client.onCompleted();
        } catch (StatusRuntimeException e) {
            client.onError(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (int i = 0; i < servers.size(); i++) {
            stop(i);
        }
    }
}
