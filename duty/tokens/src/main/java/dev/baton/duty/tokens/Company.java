package dev.baton.duty.tokens;

/**
 * Whether the next entry should wait a moment for those who were just answered, and for how many.
 *
 * <p>Callers who ask again as soon as they are answered all get into one entry if it waits for them. If it does not, they
 * fall into groups of which each waits for the commits of the others, and each commit takes processor time from everybody.
 * Callers who do not wait for their answers come when they come, and an entry that waits only makes them slower. Which of
 * the two it is shows when it is tried: those who were answered are back as soon as answers and questions take to be written
 * and read, and do not become more and more, or they are not. After a trial that failed, some entries pass without another.
 *
 * <p>Duty thread only. Knows no clock.
 */
final class Company {

    /** No pulse may come to be late by waiting; and whoever takes longer than that to ask again is not in a hurry. */
    static final long MOST_PATIENCE_NANOS = 50_000_000;

    /** Fewer are not worth a thread's sleep. */
    private static final int FEWEST = 8;

    /** Answers are written and read, and so are the questions that follow: each may take as long as the first. */
    private static final int WAYS = 4;

    private static final int MOST_DOUBLINGS = 10;
    private static final int MORE_AFTER_FAILURE = 3;

    /** Callers that have fallen into groups are all together after so many more entries. */
    private static final int MOST_RISES = 2;

    /** Callers that are one in so many more than before may be new ones. */
    private static final int SLACK = 16;

    /** Times are averaged over about so many entries. */
    private static final int WEIGHT = 8;

    private final long mostPatienceNanos;
    private long commitNanos;
    private long tellNanos;
    private int expected;

    /** How many there were at the trial before the last entry, if that went well; else 0. */
    private int cameLast;

    private int rises;
    private boolean trusted;
    private int doublings;
    private int passing;

    Company(long mostPatienceNanos) {
        this.mostPatienceNanos = mostPatienceNanos;
    }

    /** An entry was committed, so long after it was drafted; so many are being told, and so many wait already. */
    void committed(long tookNanos, int told, int waiting) {
        commitNanos = averaged(commitNanos, tookNanos);
        expected = told < FEWEST ? 0 : told + waiting;
        if (passing > 0) {
            passing--;
        }
    }

    /** It took so long until all whom an entry answered were told. */
    void told(long tookNanos) {
        tellNanos = averaged(tellNanos, tookNanos);
    }

    private static long averaged(long before, long now) {
        return before == 0 ? now : before + (now - before) / WEIGHT;
    }

    /** How many should be there before the next entry is drafted; 0 if it should not wait. */
    int expected() {
        return passing > 0 ? 0 : expected;
    }

    /** How long to wait for them. */
    long patienceNanos() {
        return Math.min(mostPatienceNanos, commitNanos + WAYS * tellNanos);
    }

    /**
     * The next entry has waited, and so many were there in the end. One time tells nothing, since questions that come in any
     * case come then, too; but if there are more and more, time after time, they are not those who were answered.
     */
    void came(int number) {
        if (number < expected) {
            failed();
        } else if (cameLast > 0 && expected <= cameLast + cameLast / SLACK) {
            trusted = true;
            doublings = Math.max(0, doublings - 1);
            rises = 0;
            cameLast = number;
        } else if (cameLast > 0 && ++rises > MOST_RISES) {
            failed();
        } else {
            cameLast = number;
        }
    }

    /** Those who have come back again and again are late for once, and so get another trial at once. */
    private void failed() {
        if (trusted) {
            trusted = false;
        } else {
            doublings = Math.min(MOST_DOUBLINGS, doublings + MORE_AFTER_FAILURE);
            passing = 1 << doublings;
        }
        rises = 0;
        cameLast = 0;
    }
}
