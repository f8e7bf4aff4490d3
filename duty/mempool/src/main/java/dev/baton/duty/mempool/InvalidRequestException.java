package dev.baton.duty.mempool;

/** The caller asked for something that cannot be; nothing was done, and asking again will not help. */
public final class InvalidRequestException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public InvalidRequestException(String what, String value, String expected) {
        super(what + ": " + value + " (expected: " + expected + ")");
    }
}
