package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Bytes;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.wire.sequencer.v1.BlockRequest;
import dev.baton.wire.sequencer.v1.FollowRequest;
import dev.baton.wire.sequencer.v1.RangeRequest;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SignedBlock;
import dev.baton.wire.sequencer.v1.SubmitRequest;
import dev.baton.wire.sequencer.v1.SubmitResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The sequencer's gRPC service. It serves blocks from this node's store, whoever holds the seat. */
public final class SequencerEndpoint extends SequencerServiceGrpc.SequencerServiceImplBase {

    private static final long MOST_PER_RANGE = 1000;

    private final Chain chain;
    private final Submitter local;
    private final Submitter forwarding;
    private final Executor executor;
    private final AtomicInteger followers = new AtomicInteger();

    /**
     * @param local takes transactions only while this node holds the seat; gets what another node forwarded
     * @param forwarding gets everything else; the same as {@code local} where forwarding is off
     * @param executor runs the streams of blocks, whose reads may block
     */
    public SequencerEndpoint(Chain chain, Submitter local, Submitter forwarding, Executor executor) {
        this.chain = chain;
        this.local = local;
        this.forwarding = forwarding;
        this.executor = executor;
    }

    /** How many nodes or clients follow the blocks of this node now. */
    public int followers() {
        return followers.get();
    }

    @Override
    public void submit(SubmitRequest request, StreamObserver<SubmitResponse> client) {
        Submitter submitter = request.getForwarded() ? local : forwarding;
        submitter.submit(Bytes.wrap(request.getTransaction().toByteArray())).whenComplete((answer, failure) -> {
            if (failure != null) {
                client.onError(Status.INTERNAL
                        .withDescription(String.valueOf(failure.getMessage()))
                        .asRuntimeException());
            } else {
                answer(answer, client);
            }
        });
    }

    private static void answer(Submitted answer, StreamObserver<SubmitResponse> client) {
        switch (answer) {
            case Submitted.Accepted accepted -> {
                client.onNext(SubmitStatus.response(accepted));
                client.onCompleted();
            }
            case Submitted.Rejected rejected -> client.onError(SubmitStatus.rejected(rejected));
            case Submitted.NotHolder notHolder -> client.onError(SubmitStatus.notHolder(notHolder));
            case Submitted.Unknown unknown -> client.onError(SubmitStatus.unknown(unknown));
        }
    }

    @Override
    public void follow(FollowRequest request, StreamObserver<SignedBlock> client) {
        if (isHeight(request.getFromHeight(), "from_height", client)) {
            followers.incrementAndGet();
            BlockStream.follow(
                    chain,
                    (ServerCallStreamObserver<SignedBlock>) client,
                    executor,
                    new Height(request.getFromHeight()),
                    followers::decrementAndGet);
        }
    }

    @Override
    public void range(RangeRequest request, StreamObserver<SignedBlock> client) {
        if (!isHeight(request.getFromHeight(), "from_height", client)) {
            return;
        }
        long limit = request.getLimit() == 0
                ? MOST_PER_RANGE
                : Math.min(MOST_PER_RANGE, Integer.toUnsignedLong(request.getLimit()));
        if (request.getToHeight() != 0) {
            if (!isHeight(request.getToHeight(), "to_height", client)) {
                return;
            }
            limit = Math.clamp(request.getToHeight() - request.getFromHeight() + 1, 0L, limit);
        }
        BlockStream.range(
                chain,
                (ServerCallStreamObserver<SignedBlock>) client,
                executor,
                new Height(request.getFromHeight()),
                limit);
    }

    private static boolean isHeight(long height, String field, StreamObserver<?> client) {
        if (height >= 1) {
            return true;
        }
        client.onError(Status.INVALID_ARGUMENT
                .withDescription(field + ": " + Long.toUnsignedString(height) + " (expected: 1 or more)")
                .asRuntimeException());
        return false;
    }

    @Override
    public void block(BlockRequest request, StreamObserver<SignedBlock> client) {
        if (!isHeight(request.getHeight(), "height", client)) {
            return;
        }
        try {
            Optional<StoredBlock> found = chain.read(new Height(request.getHeight()));
            if (found.isEmpty()) {
                client.onError(Status.NOT_FOUND
                        .withDescription(
                                "block " + request.getHeight() + " (this node's last one is " + chain.height() + ")")
                        .asRuntimeException());
                return;
            }
            client.onNext(WireBlocks.encode(found.get()));
            client.onCompleted();
        } catch (IOException e) {
            client.onError(Status.INTERNAL.withDescription(e.getMessage()).asRuntimeException());
        }
    }
}
