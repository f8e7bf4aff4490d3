package dev.baton.seat;

import dev.baton.core.Term;

/** A payload was offered to the engine, and the term ended before the answer came: the ledger will tell. */
public final class OutcomeUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutcomeUnknownException(Term term) {
        super("term " + term + " ended before the engine answered; read the ledger to see what became of the entry");
    }
}
