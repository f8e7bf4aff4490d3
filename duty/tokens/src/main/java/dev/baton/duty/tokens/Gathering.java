package dev.baton.duty.tokens;

import java.util.function.LongSupplier;

/**
 * Gives those who were just answered a moment to ask again before the next entry is drafted.
 *
 * <p>Callers that ask one after the other come back at the moment when their answers have gone out. The first of them
 * would otherwise start an entry of its own, and all others wait for it and for the next: half as many to an entry, and
 * each waits twice. The moment is a part of what an entry takes, so it never costs more than that part. Duty thread only.
 */
final class Gathering {

    private static final long LONGEST_NANOS = 500_000;

    /** The part of an entry's time that is waited at most. */
    private static final int PART = 4;

    private final WaitingRoom room;
    private final LongSupplier nanos;
    private long draftedNanos;
    private long patienceNanos;
    private int expected;

    Gathering(WaitingRoom room, LongSupplier nanos) {
        this.room = room;
        this.nanos = nanos;
    }

    /** An entry is committed, and so many are being answered; they and those who wait already may be there in a moment. */
    void committed(int answered) {
        patienceNanos = Math.min(LONGEST_NANOS, (nanos.getAsLong() - draftedNanos) / PART);
        expected = answered + room.waiting();
    }

    /** Waits for them, but not long; once for each entry. */
    void await() {
        if (expected > 1 && patienceNanos > 0) {
            room.awaitFull(expected, patienceNanos);
        }
        expected = 0;
        draftedNanos = nanos.getAsLong();
    }
}
