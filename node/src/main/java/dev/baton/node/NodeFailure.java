package dev.baton.node;

/** A node cannot start; the message says what stands there, what was expected, and what to do. */
public final class NodeFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    public NodeFailure(ExitCode code, String message) {
        super(message);
        this.code = code;
    }

    public NodeFailure(ExitCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ExitCode code() {
        return code;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
