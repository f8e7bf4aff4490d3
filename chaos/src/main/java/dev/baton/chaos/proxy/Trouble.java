package dev.baton.chaos.proxy;

/**
 * What is wrong with one way of a connection.
 *
 * @param silence whether bytes are held back, and what becomes of the connections that waited for them
 * @param reset open connections are reset, new ones are refused
 * @param stallPercent how many of a hundred chunks are held back for a retransmission's time
 * @param resetPercent how many of a hundred chunks end the connection
 * @param bytesPerSecond 0 for no limit
 * @param flipOneInBytes 0 for none
 * @param truncateAfterBytes the connection is reset after so many bytes; 0 for never
 */
public record Trouble(
        Silence silence,
        boolean reset,
        long delayMillis,
        long jitterMillis,
        int stallPercent,
        int resetPercent,
        long bytesPerSecond,
        long flipOneInBytes,
        long truncateAfterBytes) {

    /** How far nothing comes through; the worse, the later. */
    public enum Silence {
        /** Everything does. */
        NONE,
        /** What was sent meanwhile comes when the trouble is over, as TCP would have it. */
        WHILE_IT_LASTS,
        /** A connection that was used meanwhile is reset when the trouble is over, as by a firewall that knows nothing of it. */
        UNTIL_RESET,
        /** A connection that was used meanwhile never says anything again. */
        FOR_EVER
    }

    public static final Trouble NONE = new Trouble(Silence.NONE, false, 0, 0, 0, 0, 0, 0, 0);
    public static final Trouble SILENT = new Trouble(Silence.WHILE_IT_LASTS, false, 0, 0, 0, 0, 0, 0, 0);
    public static final Trouble DEAF = new Trouble(Silence.FOR_EVER, false, 0, 0, 0, 0, 0, 0, 0);
    public static final Trouble FORGOTTEN = new Trouble(Silence.UNTIL_RESET, false, 0, 0, 0, 0, 0, 0, 0);
    public static final Trouble RESET = new Trouble(Silence.NONE, true, 0, 0, 0, 0, 0, 0, 0);

    public static Trouble late(long delayMillis, long jitterMillis) {
        return new Trouble(Silence.NONE, false, delayMillis, jitterMillis, 0, 0, 0, 0, 0);
    }

    public static Trouble lossy(int stallPercent, int resetPercent) {
        return new Trouble(Silence.NONE, false, 0, 0, stallPercent, resetPercent, 0, 0, 0);
    }

    public static Trouble slow(long bytesPerSecond) {
        return new Trouble(Silence.NONE, false, 0, 0, 0, 0, bytesPerSecond, 0, 0);
    }

    public static Trouble flipping(long oneInBytes) {
        return new Trouble(Silence.NONE, false, 0, 0, 0, 0, 0, oneInBytes, 0);
    }

    public static Trouble truncating(long afterBytes) {
        return new Trouble(Silence.NONE, false, 0, 0, 0, 0, 0, 0, afterBytes);
    }

    /** Both at once. */
    public Trouble and(Trouble other) {
        return new Trouble(
                silence.compareTo(other.silence) > 0 ? silence : other.silence,
                reset || other.reset,
                delayMillis + other.delayMillis,
                jitterMillis + other.jitterMillis,
                Math.min(100, stallPercent + other.stallPercent),
                Math.min(100, resetPercent + other.resetPercent),
                smallerOf(bytesPerSecond, other.bytesPerSecond),
                smallerOf(flipOneInBytes, other.flipOneInBytes),
                smallerOf(truncateAfterBytes, other.truncateAfterBytes));
    }

    /** Zero stands for none. */
    private static long smallerOf(long one, long other) {
        return one == 0 ? other : other == 0 ? one : Math.min(one, other);
    }
}
