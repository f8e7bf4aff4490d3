package dev.baton.duty.sequencer;

import dev.baton.duty.BrokenInvariantException;

/** The same blocks led to another state here than on the node that wrote a checkpoint: the executor is not deterministic. */
public final class StateDivergedException extends BrokenInvariantException {

    private static final long serialVersionUID = 1L;

    StateDivergedException(String message) {
        super(message);
    }
}
