package dev.baton.authority.etcd.wire;

import io.grpc.Status;

/** Why etcd refuses a request that reached it. */
public enum Refusal {
    /** The alarm NOSPACE is on: the database has reached its quota. A first such answer may come after the fact. */
    NO_SPACE,
    /** Beyond {@code --max-request-bytes}. */
    TOO_LARGE,
    LEASE_GONE,
    COMPACTED,
    /** Wrong user or password, or none where one is needed. */
    BAD_LOGIN,
    /** The user may not do that. */
    DENIED,
    OTHER;

    static Refusal of(Status status) {
        String text = status.getDescription() == null ? "" : status.getDescription();
        if (text.contains("database space exceeded")) {
            return NO_SPACE;
        }
        if (text.contains("request is too large") || text.contains("larger than max")) {
            return TOO_LARGE;
        }
        if (text.contains("lease not found")) {
            return LEASE_GONE;
        }
        if (text.contains("has been compacted")) {
            return COMPACTED;
        }
        if (text.contains("invalid user ID or password") || text.contains("user name is empty")) {
            return BAD_LOGIN;
        }
        return status.getCode() == Status.Code.PERMISSION_DENIED ? DENIED : OTHER;
    }
}
