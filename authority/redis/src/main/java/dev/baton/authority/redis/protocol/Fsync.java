package dev.baton.authority.redis.protocol;

/** When a Redis writes to its disk what it has answered. */
public enum Fsync {
    /** Before it answers: after a restart it knows everything it said. */
    ALWAYS,
    /** Some time later, or never: after a restart it may have forgotten a promise. */
    LATER
}
