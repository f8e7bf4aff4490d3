package dev.baton.duty.sequencer;

import dev.baton.duty.BrokenInvariantException;

/**
 * This node's store and the ledger disagree about a committed block: a broken invariant (INV-3).
 *
 * <p>Nothing is overwritten, and nothing more is taken in until people have looked.
 */
public final class ForkDetectedException extends BrokenInvariantException {

    private static final long serialVersionUID = 1L;

    ForkDetectedException(String message) {
        super(message);
    }
}
