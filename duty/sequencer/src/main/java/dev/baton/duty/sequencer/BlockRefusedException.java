package dev.baton.duty.sequencer;

/** A peer sent a block that is not believed; nothing of it was kept. */
public final class BlockRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    public BlockRefusedException(String message) {
        super(message);
    }
}
