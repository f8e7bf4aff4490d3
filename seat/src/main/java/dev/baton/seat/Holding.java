package dev.baton.seat;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.duty.Tenure;

/** A tenure that can also write to the ledger. */
public interface Holding extends Tenure {

    /**
     * Commits the payload as the next entry and returns it. Blocks until then.
     *
     * @throws dev.baton.duty.TermOverException if the term ended and the payload was not written
     * @throws OutcomeUnknownException if the term ended and the payload may have been written
     */
    Entry append(Bytes payload) throws InterruptedException;
}
