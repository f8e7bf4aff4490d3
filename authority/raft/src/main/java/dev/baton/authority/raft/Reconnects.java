package dev.baton.authority.raft;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Has connections between members made anew where the engine would keep the old ones for too long.
 *
 * <p>A member that has no leader connects to everybody anew. The engine asks for votes over connections that back off
 * for seconds after a peer was down, and grow more patient each time. So a peer that has just come back could not be
 * asked for its vote, and two of three members that were both alive could not elect a leader for as long. Connections
 * that work are lost too; they are made again within a millisecond, and between two elections nobody needs them.
 *
 * <p>A leader connects anew to a follower that has been silent for long. The engine sends its entries over one stream
 * and waits for the operating system to say that the connection is gone. A connection that has gone dumb, as when a
 * router on the way has forgotten it, is never said to be gone: the follower got nothing for as long as that leader led,
 * although it could be reached, and the next member to fail took the majority with it.
 *
 * <p>Not thread-safe.
 */
final class Reconnects {

    /** Three heartbeats are missing after one election timeout: this is well beyond a bad moment. */
    private static final int TIMEOUTS_OF_SILENCE = 4;

    private final Runnable toAll;
    private final Consumer<MemberId> toOne;
    private final long patienceNanos;
    private final long silenceNanos;
    private final Map<MemberId, Long> reconnectedNanos = new HashMap<>();
    private boolean leaderless;
    private long sinceNanos;

    Reconnects(Runnable toAll, Consumer<MemberId> toOne, Duration electionMax) {
        this.toAll = toAll;
        this.toOne = toOne;
        this.patienceNanos = electionMax.toNanos();
        this.silenceNanos = TIMEOUTS_OF_SILENCE * patienceNanos;
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
            toAll.run();
        }
    }

    /** Takes note of how long each follower has not answered this member, which leads; of nobody if it does not. */
    void heard(Map<MemberId, Duration> silences, long nowNanos) {
        reconnectedNanos.keySet().retainAll(silences.keySet());
        silences.forEach((follower, silence) -> {
            Long before = reconnectedNanos.get(follower);
            boolean lately = before != null && nowNanos - before <= silenceNanos;
            if (silence.toNanos() > silenceNanos && !lately) {
                reconnectedNanos.put(follower, nowNanos);
                toOne.accept(follower);
            }
        });
    }
}
