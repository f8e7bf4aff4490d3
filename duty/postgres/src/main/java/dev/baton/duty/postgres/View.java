package dev.baton.duty.postgres;

/**
 * This node's server, as last seen.
 *
 * @param running whether it answers
 * @param note what the node is doing with it, or what is wrong, for people to read
 */
public record View(boolean running, boolean standby, int timeline, Lsn position, boolean streaming, String note) {

    static final View NOTHING = new View(false, true, 0, Lsn.ZERO, false, "starting");

    View noting(String what) {
        return new View(running, standby, timeline, position, streaming, what);
    }

    View silent(String what) {
        return new View(false, standby, timeline, position, false, what);
    }
}
