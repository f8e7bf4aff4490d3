package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Bytes;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.wire.sequencer.v1.SequencerServiceGrpc;
import dev.baton.wire.sequencer.v1.SubmitRequest;
import dev.baton.wire.sequencer.v1.SubmitResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Submits here if this node holds the seat, and otherwise at the holder; but only once: it never goes in circles. */
public final class ForwardingSubmitter implements Submitter {

    private final Submitter local;
    private final PeerChannels channels;
    private final Duration timeout;

    public ForwardingSubmitter(Submitter local, PeerChannels channels, Duration timeout) {
        this.local = local;
        this.channels = channels;
        this.timeout = timeout;
    }

    @Override
    public CompletionStage<Submitted> submit(Bytes transaction) {
        return local.submit(transaction)
                .thenCompose(answer -> answer instanceof Submitted.NotHolder notHolder
                                && notHolder.address().isPresent()
                        ? forward(notHolder.address().get(), transaction)
                        : CompletableFuture.completedStage(answer));
    }

    private CompletionStage<Submitted> forward(String address, Bytes transaction) {
        CompletableFuture<Submitted> answer = new CompletableFuture<>();
        SubmitRequest request = SubmitRequest.newBuilder()
                .setTransaction(WireBlocks.bytes(transaction))
                .setForwarded(true)
                .build();
        SequencerServiceGrpc.newStub(channels.to(address))
                .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .submit(request, new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitResponse response) {
                        answer.complete(SubmitStatus.accepted(response));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.complete(SubmitStatus.fromFailure(failure, address));
                    }

                    @Override
                    public void onCompleted() {
                        answer.complete(new Submitted.Unknown(address + " gave no answer; submit it again"));
                    }
                });
        return answer;
    }
}
