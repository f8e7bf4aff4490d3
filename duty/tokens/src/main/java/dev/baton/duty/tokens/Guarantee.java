package dev.baton.duty.tokens;

/** What a namespace promises beyond uniqueness, which is unconditional. Part of its record, so it never changes. */
public enum Guarantee {
    /** Answered after the commit that covers it: linearizable, with no assumption about clocks. */
    STRICT,
    /** Answered from a range that was committed ahead, while the lease holds: in order within the clock-rate bound. */
    LEASED
}
