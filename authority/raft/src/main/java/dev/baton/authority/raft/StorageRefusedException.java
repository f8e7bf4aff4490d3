package dev.baton.authority.raft;

/** The storage directory is not this member's to open: somebody else's, in use, wiped, or written by a newer version. */
public final class StorageRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StorageRefusedException(String message) {
        super(message);
    }

    public StorageRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
