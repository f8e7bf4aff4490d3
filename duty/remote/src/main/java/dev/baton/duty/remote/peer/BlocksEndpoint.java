package dev.baton.duty.remote.peer;

import dev.baton.wire.remote.v1.BlockServiceGrpc;
import dev.baton.wire.remote.v1.BlocksRequest;
import dev.baton.wire.remote.v1.BlocksResponse;
import io.grpc.stub.StreamObserver;

/** Hands stored blocks out. */
final class BlocksEndpoint extends BlockServiceGrpc.BlockServiceImplBase {

    private static final int MOST = 1000;

    private final PeerStore store;

    BlocksEndpoint(PeerStore store) {
        this.store = store;
    }

    @Override
    public void blocks(BlocksRequest request, StreamObserver<BlocksResponse> answer) {
        BlocksResponse.Builder response = BlocksResponse.newBuilder();
        store.range(request.getFromNumber(), Math.clamp(request.getLimit(), 0, MOST))
                .forEach(block -> response.addBlocks(block.toWire()));
        store.block(store.head().number()).ifPresent(head -> response.setHead(head.toWire()));
        answer.onNext(response.build());
        answer.onCompleted();
    }
}
