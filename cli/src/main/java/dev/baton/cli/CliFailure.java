package dev.baton.cli;

/** A command ends here; the message says what stands there, what was expected, and what to do. */
public final class CliFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final Exit exit;

    public CliFailure(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    public CliFailure(Exit exit, String message, Throwable cause) {
        super(message, cause);
        this.exit = exit;
    }

    public Exit exit() {
        return exit;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
