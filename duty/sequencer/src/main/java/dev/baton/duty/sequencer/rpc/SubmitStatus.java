package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Submitted;
import dev.baton.wire.sequencer.v1.SubmitResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What came of submitting, as gRPC says it: for clients, and for nodes that forward. */
final class SubmitStatus {

    /** Where the holder can be reached; empty if the answering node does not know. */
    static final Metadata.Key<String> HOLDER = Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);

    /** Why a transaction was not taken: a name of {@link Submitted.Reason}. */
    static final Metadata.Key<String> REASON = Metadata.Key.of("baton-reason", Metadata.ASCII_STRING_MARSHALLER);

    private SubmitStatus() {}

    static SubmitResponse response(Submitted.Accepted accepted) {
        return SubmitResponse.newBuilder()
                .setHeight(accepted.height().value())
                .setIndex(accepted.index())
                .setTransactionHash(
                        WireBlocks.bytes(Bytes.wrap(accepted.transaction().toArray())))
                .setBlockHash(WireBlocks.bytes(Bytes.wrap(accepted.block().toArray())))
                .setDuplicate(accepted.duplicate())
                .build();
    }

    static Submitted accepted(SubmitResponse response) {
        return new Submitted.Accepted(
                new Height(response.getHeight()),
                response.getIndex(),
                Hash.of(response.getTransactionHash().toByteArray()),
                Hash.of(response.getBlockHash().toByteArray()),
                response.getDuplicate());
    }

    static StatusRuntimeException rejected(Submitted.Rejected rejected) {
        Metadata trailers = new Metadata();
        trailers.put(REASON, rejected.reason().name());
        Status status = switch (rejected.reason()) {
            case EMPTY, TOO_LARGE, MALFORMED -> Status.INVALID_ARGUMENT;
            case POOL_FULL -> Status.RESOURCE_EXHAUSTED;
        };
        return status.withDescription(rejected.message()).asRuntimeException(trailers);
    }

    static StatusRuntimeException notHolder(Submitted.NotHolder answer) {
        Metadata trailers = new Metadata();
        trailers.put(HOLDER, answer.address().orElse(""));
        return Status.UNAVAILABLE
                .withDescription(answer.address()
                        .map(address -> "this node does not hold the seat; submit to " + address)
                        .orElse("nobody is known to hold the seat; submit again in a moment"))
                .asRuntimeException(trailers);
    }

    static StatusRuntimeException unknown(Submitted.Unknown unknown) {
        return Status.ABORTED.withDescription(unknown.why()).asRuntimeException();
    }

    /** Reads what the methods above wrote; anything else may have happened after the transaction was taken. */
    static Submitted fromFailure(Throwable failure, String address) {
        Status status = Status.fromThrowable(failure);
        Metadata trailers =
                Optional.ofNullable(Status.trailersFromThrowable(failure)).orElseGet(Metadata::new);
        @Nullable String holder = trailers.get(HOLDER);
        if (holder != null) {
            return new Submitted.NotHolder(holder.isEmpty() ? null : holder);
        }
        @Nullable String reason = trailers.get(REASON);
        return Arrays.stream(Submitted.Reason.values())
                .filter(candidate -> candidate.name().equals(reason))
                .findFirst()
                .<Submitted>map(known -> new Submitted.Rejected(known, String.valueOf(status.getDescription())))
                .orElseGet(() -> new Submitted.Unknown("forwarding to " + address + ": " + status.getCode() + ": "
                        + status.getDescription() + "; submit it again, duplicates are recognised"));
    }
}
