package dev.baton.control.rpc;

/**
 * How much one listener takes.
 *
 * @param requestBytes the largest request
 * @param perSecond how many requests one host may send, in the long run
 * @param burst how many of them at once
 * @param concurrent how many are worked on at a time, all callers together
 */
public record Limits(int requestBytes, int perSecond, int burst, int concurrent) {
    public static final Limits DEFAULT = new Limits(16 << 10, 100, 200, 32);
}
