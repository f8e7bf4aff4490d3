package dev.baton.duty;

import dev.baton.core.Term;

/** Something was about to be done under a term that is over. */
public final class TermOverException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TermOverException(Term term) {
        super("term " + term + " is over");
    }
}
