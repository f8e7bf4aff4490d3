package dev.baton.client;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What to do after a try that brought no tokens. */
sealed interface Verdict {

    /** Another node holds the seat; go there at once. */
    record GoTo(String address, TokenException why) implements Verdict {}

    /** Try again after a pause, with the same request id; at another node if this one is of no use. */
    record TryAgain(boolean elsewhere, TokenException why) implements Verdict {
        /** Whether it says that the service is there, though busy. */
        boolean isAnswer() {
            return why.code() == Status.Code.RESOURCE_EXHAUSTED;
        }
    }

    /** The same request will not fare better. */
    record GiveUp(TokenException why) implements Verdict {}

    /** Where the holder serves tokens; empty if the node does not know. */
    Metadata.Key<String> HOLDER = Metadata.Key.of("baton-holder", Metadata.ASCII_STRING_MARSHALLER);

    /** Why a request was refused: a name of {@link Refusal}. */
    Metadata.Key<String> REASON = Metadata.Key.of("baton-reason", Metadata.ASCII_STRING_MARSHALLER);

    TokenException why();

    static Verdict of(String namespace, String asked, Throwable failure) {
        Status status = Status.fromThrowable(failure);
        Metadata trailers =
                Optional.ofNullable(Status.trailersFromThrowable(failure)).orElseGet(Metadata::new);
        TokenException why = new TokenException(
                namespace,
                status.getCode(),
                Refusal.of(trailers.get(REASON), status.getCode()),
                status.getDescription() + " (asked " + asked + ")");
        if (status.getCause() != null) {
            why.initCause(status.getCause());
        }
        @Nullable String holder = trailers.get(HOLDER);
        return switch (status.getCode()) {
            case UNAVAILABLE, ABORTED ->
                holder != null && !holder.equals(asked) && ClientSettings.isAddress(holder)
                        ? new GoTo(holder, why)
                        : new TryAgain(status.getCode() == Status.Code.UNAVAILABLE, why);
            // nobody here cancels a request, so it was a node that is being stopped
            case DEADLINE_EXCEEDED, CANCELLED -> new TryAgain(true, why);
            // the holder itself is busy: nobody else can serve
            case RESOURCE_EXHAUSTED -> new TryAgain(false, why);
            default -> new GiveUp(why);
        };
    }
}
