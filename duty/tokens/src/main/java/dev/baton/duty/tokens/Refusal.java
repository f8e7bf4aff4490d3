package dev.baton.duty.tokens;

/** Why no tokens were handed out, or no namespace changed. */
public enum Refusal {
    /** A count, a name, an id or another value that can never be right. */
    INVALID,
    /** No such namespace, and none is made on first use. */
    NO_NAMESPACE,
    /** The namespace is frozen. */
    FROZEN,
    /** The name stands for shards; ask one of them. */
    SHARDED,
    /** The tokens lie further apart than 1, and the caller did not say that it knows. */
    STEPPED,
    /** The request id is older than the window in which retries are recognised. */
    FORGOTTEN,
    /** The request id was used for another request. */
    FOREIGN_ID,
    /** Fewer tokens are left than were asked for. */
    EXHAUSTED,
    /** Too many requests wait; a later one may be served. */
    OVERLOADED,
    /** There is such a namespace already, and it is another one. */
    EXISTS,
    /** There are as many namespaces as are allowed. */
    TOO_MANY_NAMESPACES
}
