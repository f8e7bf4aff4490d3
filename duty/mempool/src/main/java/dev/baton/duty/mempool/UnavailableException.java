package dev.baton.duty.mempool;

import org.jspecify.annotations.Nullable;

/** The pool could not be asked in time. It may answer again later, without anybody doing anything here. */
public final class UnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean perhapsDone;

    public UnavailableException(String message, boolean perhapsDone, @Nullable Throwable cause) {
        super(message, cause);
        this.perhapsDone = perhapsDone;
    }

    /** Whether what was asked may have been done all the same. Asking again tells: every operation may be repeated. */
    public boolean isPerhapsDone() {
        return perhapsDone;
    }
}
