package dev.baton.duty.tokens.rpc;

import dev.baton.core.Height;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.Tokens;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.FreezeRequest;
import dev.baton.wire.tokens.v1.HistoryRequest;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.ListRequest;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What operators do with namespaces. Nothing in it blocks. */
public final class NamespacesEndpoint extends TokenNamespacesGrpc.TokenNamespacesImplBase {

    private final Tokens tokens;
    private final Supplier<Height> followed;

    /**
     * @param followed how far this node has followed the ledger
     */
    public NamespacesEndpoint(Tokens tokens, Supplier<Height> followed) {
        this.tokens = tokens;
        this.followed = followed;
    }

    @Override
    public void create(CreateRequest request, StreamObserver<NamespacesResponse> client) {
        Guarantee guarantee;
        switch (request.getGuarantee()) {
            case GUARANTEE_UNSPECIFIED, STRICT -> guarantee = Guarantee.STRICT;
            case LEASED -> guarantee = Guarantee.LEASED;
            default -> {
                client.onError(TokenStatus.refused(
                        Refusal.INVALID,
                        "guarantee: " + request.getGuaranteeValue() + " (expected: 1 for STRICT or 2 for LEASED)"));
                return;
            }
        }
        tokens.create(
                new NamespaceSpec(
                        request.getName(),
                        guarantee,
                        unlessZero(request.getStart()),
                        unlessZero(request.getStep()),
                        unlessZero(request.getCeiling()),
                        unlessZero(request.getMaxCount()),
                        request.getShards() == 0 ? OptionalInt.empty() : OptionalInt.of(request.getShards())),
                changed -> answer(changed, client));
    }

    private static OptionalLong unlessZero(long value) {
        return value == 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    @Override
    public void freeze(FreezeRequest request, StreamObserver<NamespacesResponse> client) {
        tokens.freeze(request.getName(), request.getFrozen(), changed -> answer(changed, client));
    }

    private static void answer(Changed changed, StreamObserver<NamespacesResponse> client) {
        switch (changed) {
            case Changed.Done(List<NamespaceView> namespaces, Height height) -> {
                client.onNext(WireNamespaces.encode(namespaces, height));
                client.onCompleted();
            }
            case Changed.Refused refused -> client.onError(TokenStatus.refused(refused));
            case Changed.NotHolder(Optional<String> address) -> client.onError(TokenStatus.notHolder(address));
            case Changed.Unknown(String why, Optional<String> address) ->
                client.onError(TokenStatus.unknown(why, address));
        }
    }

    @Override
    public void list(ListRequest request, StreamObserver<NamespacesResponse> client) {
        Height atLeast = followed.get(); // first: what is listed may be newer, never older
        client.onNext(WireNamespaces.encode(tokens.namespaces(request.getPrefix()), atLeast));
        client.onCompleted();
    }

    @Override
    public void history(HistoryRequest request, StreamObserver<HistoryResponse> client) {
        tokens.history(request.getName())
                .ifPresentOrElse(
                        history -> {
                            client.onNext(WireNamespaces.encode(history));
                            client.onCompleted();
                        },
                        () -> client.onError(TokenStatus.refused(
                                Refusal.NO_NAMESPACE,
                                "name: " + request.getName() + " (expected: a namespace that this node knows of)")));
    }
}
