package dev.baton.duty;

/** Something that must never happen did; whoever meets it stops the duty and does not go on by itself. */
public class BrokenInvariantException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BrokenInvariantException(String what) {
        super(what);
    }
}
