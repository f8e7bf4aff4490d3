package dev.baton.chaos.plan;

import java.util.Locale;

/**
 * The kinds of fault, each with what it may be done to.
 *
 * <p>Parameters that a planned fault of the kind carries are named with each; every {@code link} is the name of a
 * {@link Link}, every {@code way} is {@code both}, {@code in} (nothing reaches the target) or {@code out} (nothing
 * leaves it).
 */
public enum FaultKind {
    /** SIGKILL; a new process after the time is over. */
    KILL(Target.NODE),
    /** SIGSTOP, then SIGCONT; half of them outlast the lease. */
    PAUSE(Target.NODE),
    /** The targets are cut off from all others, open connections included; {@code way}. */
    PARTITION(Target.NODE),
    /** {@code link}, {@code delayMillis}, {@code jitterMillis}. */
    LATENCY(Target.LINK),
    /** {@code link}, {@code stallPercent}, {@code resetPercent} of chunks: what packet loss becomes on TCP. */
    LOSS(Target.LINK),
    /** {@code link}, {@code bytesPerSecond}. */
    THROTTLE(Target.LINK),
    /** {@code link}, {@code oneInBytes}: one byte in so many is flipped. */
    CORRUPT(Target.LINK),
    /** {@code link}, {@code afterBytes}: connections are closed after so many bytes, mid-message. */
    TRUNCATE(Target.LINK),
    /** {@code link}: connections are accepted and never answered. */
    HALF_OPEN(Target.LINK),
    /** An engine server is killed and comes back with its data. */
    ENGINE_RESTART(Target.ENGINE),
    /** An engine server is killed and comes back without what it stored in the last {@code lostMillis}. */
    ENGINE_ROLLBACK(Target.ENGINE),
    /** An engine server is killed and comes back blank. */
    ENGINE_EMPTY(Target.ENGINE),
    /** Whatever the target writes to files fails; a new process after the time is over. */
    DISK_FULL(Target.STORAGE),
    /**
     * The target stands still for {@code delayMillis} and goes on for as long, again and again: what one sees of a disk
     * that takes so long, and all that can be done without privileges.
     */
    SLOW_FSYNC(Target.STORAGE),
    /**
     * A new process, whose clocks are off by {@code offsetMillis} (may be negative) and run at {@code ratePermille} (1000
     * is right); another one, with the right time, after the time is over.
     */
    CLOCK(Target.NODE),
    /** A planned change of holder, asked for in the middle of everything. */
    HANDOFF(Target.CLUSTER),
    /** Every node is stopped and started, one after the other. */
    ROLLING_RESTART(Target.CLUSTER),
    /** The leader's clients are cut off, its link to the engine lives. */
    CLIENT_CUT(Target.NODE),
    /**
     * Other nodes' connections to the leader are reset and refused, though it lives and reaches the engine: they take it
     * for dead and claim its seat on evidence.
     */
    FALSE_EVIDENCE(Target.NODE);

    /** What a fault may be done to. */
    public enum Target {
        /** A node's process, or all that connects it. */
        NODE,
        /** One kind of connection of a node. */
        LINK,
        /** A server of the engine, apart from the nodes. */
        ENGINE,
        /** Whoever keeps the ledger on a disk: an engine server, or a node if the engine lives inside. */
        STORAGE,
        /** The whole cluster; no target is named. */
        CLUSTER
    }

    private final Target target;

    FaultKind(Target target) {
        this.target = target;
    }

    public Target target() {
        return target;
    }

    /** The name for people and for the command line: {@code engine-restart}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
