package dev.baton.authority.raft;

/** The member could not be started; nothing of it runs any more. */
public final class StartFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartFailedException(String message) {
        super(message);
    }

    public StartFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
