package dev.baton.duty.tokens.rpc;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import dev.baton.duty.tokens.Answer;
import dev.baton.duty.tokens.Changed;
import dev.baton.duty.tokens.Refusal;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.Optional;

/** What came of asking for tokens, as gRPC says it. */
final class TokenStatus {

    /** Where the holder serves tokens; empty if the answering node does not know. */
    static final Metadata.Key<String> HOLDER = Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);

    /** Why a request was refused: a name of {@link Refusal}. */
    static final Metadata.Key<String> REASON = Metadata.Key.of("baton-reason", Metadata.ASCII_STRING_MARSHALLER);

    /** The same again for those who read the standard error model. */
    static final Metadata.Key<com.google.rpc.Status> DETAILS = Metadata.Key.of(
            "grpc-status-details-bin", ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

    static final String DOMAIN = "baton.dev";
    static final String NOT_HOLDER = "NOT_HOLDER";
    static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";
    static final String TERM_ENDED = "TERM_ENDED";

    private TokenStatus() {}

    static TokenResponse response(Answer.Handed handed, long sequence) {
        return TokenResponse.newBuilder()
                .setNamespace(handed.namespace())
                .setStartToken(handed.start())
                .setEndToken(handed.end())
                .setRevision(handed.revision())
                .setEpoch(handed.epoch().value())
                .setHeight(handed.height().value())
                .setStep(handed.step())
                .setSequence(sequence)
                .setDuplicate(handed.duplicate())
                .build();
    }

    static StatusRuntimeException refused(Answer.Refused refused) {
        return refused(refused.reason(), refused.message());
    }

    static StatusRuntimeException refused(Changed.Refused refused) {
        return refused(refused.reason(), refused.message());
    }

    static StatusRuntimeException refused(Refusal reason, String message) {
        Status status = code(reason).withDescription(message);
        Metadata trailers = details(status, ErrorInfo.newBuilder().setReason(reason.name()));
        trailers.put(REASON, reason.name());
        return new Told(status, trailers);
    }

    private static Status code(Refusal reason) {
        return switch (reason) {
            case INVALID, FOREIGN_ID -> Status.INVALID_ARGUMENT;
            case NO_NAMESPACE -> Status.NOT_FOUND;
            // To wait does not help against a full house, unlike against a full queue.
            case FROZEN, SHARDED, STEPPED, FORGOTTEN, TOO_MANY_NAMESPACES -> Status.FAILED_PRECONDITION;
            case EXHAUSTED -> Status.OUT_OF_RANGE;
            case OVERLOADED -> Status.RESOURCE_EXHAUSTED;
            case EXISTS -> Status.ALREADY_EXISTS;
        };
    }

    static StatusRuntimeException notHolder(Optional<String> address) {
        return elsewhere(
                NOT_HOLDER,
                address,
                address.isPresent()
                        ? "this node does not hold the seat; ask " + address.get()
                        : "nobody is known to hold the seat; ask again in a moment");
    }

    static StatusRuntimeException unknown(String why, Optional<String> address) {
        return elsewhere(
                OUTCOME_UNKNOWN,
                address,
                why + "; ask again with the same request id, and the answer will be right"
                        + address.map(at -> ", at " + at).orElse(""));
    }

    static StatusRuntimeException termEnded(String why) {
        return elsewhere(
                TERM_ENDED,
                Optional.empty(),
                "the term ended: " + why
                        + "; begin again with the sequence number of the first message that did not arrive");
    }

    private static StatusRuntimeException elsewhere(String reason, Optional<String> address, String message) {
        String holder = address.orElse("");
        Status status = Status.UNAVAILABLE.withDescription(message);
        Metadata trailers =
                details(status, ErrorInfo.newBuilder().setReason(reason).putMetadata("holder", holder));
        trailers.put(HOLDER, holder);
        return new Told(status, trailers);
    }

    private static Metadata details(Status status, ErrorInfo.Builder info) {
        Metadata trailers = new Metadata();
        trailers.put(
                DETAILS,
                com.google.rpc.Status.newBuilder()
                        .setCode(status.getCode().value())
                        .setMessage(String.valueOf(status.getDescription()))
                        .addDetails(Any.pack(info.setDomain(DOMAIN).build()))
                        .build());
        return trailers;
    }

    /** Under overload there are many of these, and nobody reads where they were made. */
    private static final class Told extends StatusRuntimeException {

        private static final long serialVersionUID = 1L;

        Told(Status status, Metadata trailers) {
            super(status, trailers);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
