package dev.baton.duty.sequencer.store;

import java.io.IOException;

/** The store's folder cannot be used as it is; the message names the file, the place and the remedy. */
public final class StoreUnusableException extends IOException {

    private static final long serialVersionUID = 1L;

    public StoreUnusableException(String message) {
        super(message);
    }
}
