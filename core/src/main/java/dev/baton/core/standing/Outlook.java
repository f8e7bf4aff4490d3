package dev.baton.core.standing;

/**
 * What a node knows whatever its standing.
 *
 * @param vacant whether the seat was free when last heard of
 * @param pulseSeenNanos when the holder was last seen to work, or when this node began to look
 * @param stopped whether the last holder is known to have stopped: it resigned, or handed over
 * @param attempts how many attempts at a pulse this node has begun; numbers each of them
 */
public record Outlook(Readiness readiness, boolean vacant, long pulseSeenNanos, boolean stopped, long attempts) {

    public static Outlook initial(long nowNanos) {
        return new Outlook(new Readiness.NotReady("starting"), false, nowNanos, false, 0);
    }

    boolean mayStand() {
        return vacant && readiness.isReady();
    }

    Outlook with(Readiness changed) {
        return new Outlook(changed, vacant, pulseSeenNanos, stopped, attempts);
    }

    Outlook sawPulse(long nowNanos) {
        return new Outlook(readiness, false, nowNanos, false, attempts);
    }

    Outlook sawVacancy(boolean holderStopped) {
        return new Outlook(readiness, true, pulseSeenNanos, holderStopped, attempts);
    }

    Outlook occupied() {
        return new Outlook(readiness, false, pulseSeenNanos, stopped, attempts);
    }

    Outlook handedOver() {
        return new Outlook(readiness, vacant, pulseSeenNanos, true, attempts);
    }

    Outlook nextAttempt() {
        return new Outlook(readiness, vacant, pulseSeenNanos, stopped, attempts + 1);
    }
}
