package dev.baton.client;

import io.grpc.Status;
import java.util.Optional;

/** No tokens: says for which namespace, with which gRPC code, and why, if the service said so. */
public class TokenException extends RuntimeException {

    private final String namespace;
    private final Status.Code code;
    private final Optional<Refusal> refusal;
    private final String reason;

    public TokenException(String namespace, Status.Code code, Optional<Refusal> refusal, String reason) {
        super(namespace + ": " + code + refusal.map(why -> " (" + why + ")").orElse("") + ": " + reason);
        this.namespace = namespace;
        this.code = code;
        this.refusal = refusal;
        this.reason = reason;
    }

    TokenException(String namespace, Status.Code code, String reason) {
        this(namespace, code, Optional.empty(), reason);
    }

    public String namespace() {
        return namespace;
    }

    public Status.Code code() {
        return code;
    }

    /** Why the service refused; nothing if it did not, for example because it was not reached. */
    public Optional<Refusal> refusal() {
        return refusal;
    }

    String reason() {
        return reason;
    }

    /** The same with the stack of the thread that waited, because one failure is told to all callers of a batch. */
    TokenException forThisThread() {
        TokenException same = new TokenException(namespace, code, refusal, reason);
        same.initCause(this);
        return same;
    }
}
