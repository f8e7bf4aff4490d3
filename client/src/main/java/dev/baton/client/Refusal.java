package dev.baton.client;

import io.grpc.Status;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why the service handed out no tokens. */
public enum Refusal {
    /** A count, a name, an id or another value that can never be right. */
    INVALID,
    /** No such namespace, and none is made on first use. */
    NO_NAMESPACE,
    /** The namespace is frozen. */
    FROZEN,
    /** The name stands for shards; ask one of them, or {@link TokenClient#sharded}. */
    SHARDED,
    /** The tokens lie further apart than 1, and the request did not say that this is known; this client always does. */
    STEPPED,
    /** The request id is older than the window in which retries are recognised. */
    FORGOTTEN,
    /** The request id was used for another request. */
    FOREIGN_ID,
    /** Fewer tokens are left than were asked for. */
    EXHAUSTED,
    /** Too many requests wait, here or there; a later one may be served. */
    OVERLOADED,
    /** There are as many namespaces as are allowed. */
    TOO_MANY_NAMESPACES;

    /** What the service named, or else the only thing that its code can mean. */
    static Optional<Refusal> of(@Nullable String named, Status.Code code) {
        Optional<Refusal> known = Arrays.stream(values())
                .filter(refusal -> refusal.name().equals(named))
                .findFirst();
        if (known.isPresent()) {
            return known;
        }
        return switch (code) {
            case INVALID_ARGUMENT -> Optional.of(INVALID);
            case NOT_FOUND -> Optional.of(NO_NAMESPACE);
            case OUT_OF_RANGE -> Optional.of(EXHAUSTED);
            case RESOURCE_EXHAUSTED -> Optional.of(OVERLOADED);
            default -> Optional.empty();
        };
    }
}
