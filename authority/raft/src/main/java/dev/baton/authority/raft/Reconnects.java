package dev.baton.authority.raft;

import java.time.Duration;

/**
 * Makes a member that has no leader connect to its peers anew.
 *
 * <p>The engine asks for votes over connections that back off for seconds after a peer was down, and grow more
 * patient each time. So a peer that has just come back could not be asked for its vote, and two of three members that
 * were both alive could not elect a leader for as long. Connections that work are lost too; they are made again within
 * a millisecond, and between two elections nobody needs them.
 *
 * <p>Not thread-safe.
 */
final class Reconnects {

    private final Runnable reconnect;
    private final long patienceNanos;
    private boolean leaderless;
    private long sinceNanos;

    Reconnects(Runnable reconnect, Duration electionMax) {
        this.reconnect = reconnect;
        this.patienceNanos = electionMax.toNanos();
    }

    /** Takes note of whether a leader is known. After a whole election timeout without one, it is time. */
    void tick(boolean leaderKnown, long nowNanos) {
        if (leaderKnown) {
            leaderless = false;
        } else if (!leaderless) {
            leaderless = true;
            sinceNanos = nowNanos;
        } else if (nowNanos - sinceNanos > patienceNanos) {
            sinceNanos = nowNanos;
            reconnect.run();
        }
    }
}
