package dev.baton.duty.tokens.rpc;

import dev.baton.core.Height;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Stretch;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.HistoryResponse;
import dev.baton.wire.tokens.v1.Namespace;
import dev.baton.wire.tokens.v1.NamespacesResponse;
import java.util.List;

/** Namespaces and their histories as they stand on the wire. */
final class WireNamespaces {

    private WireNamespaces() {}

    static NamespacesResponse encode(List<NamespaceView> namespaces, Height height) {
        NamespacesResponse.Builder response = NamespacesResponse.newBuilder().setHeight(height.value());
        namespaces.forEach(view -> response.addNamespaces(encode(view)));
        return response.build();
    }

    private static Namespace encode(NamespaceView view) {
        return Namespace.newBuilder()
                .setName(view.name())
                .setGuarantee(
                        switch (view.guarantee()) {
                            case STRICT -> Guarantee.STRICT;
                            case LEASED -> Guarantee.LEASED;
                        })
                .setStart(view.start())
                .setStep(view.step())
                .setCeiling(view.ceiling())
                .setMaxCount(view.maxCount())
                .setFrozen(view.frozen())
                .setNext(view.next().orElse(0))
                .setReserved(view.reserved())
                .setCreatedHeight(view.created().value())
                .setShards(view.shards().orElse(0))
                .build();
    }

    static HistoryResponse encode(NamespaceHistory history) {
        HistoryResponse.Builder response =
                HistoryResponse.newBuilder().setName(history.name()).setRememberedFrom(history.rememberedFrom());
        history.stretches().forEach(stretch -> response.addStretches(encode(stretch)));
        return response.build();
    }

    private static dev.baton.wire.tokens.v1.Stretch encode(Stretch stretch) {
        return dev.baton.wire.tokens.v1.Stretch.newBuilder()
                .setEpoch(stretch.epoch().value())
                .setRevision(stretch.revision())
                .setFirstToken(stretch.first())
                .setEndToken(stretch.end())
                .setFirstHeight(stretch.from().value())
                .setLastHeight(stretch.to().value())
                .setGapFrom(stretch.gapFrom())
                .build();
    }
}
