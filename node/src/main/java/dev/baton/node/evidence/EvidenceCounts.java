package dev.baton.node.evidence;

import java.util.concurrent.atomic.LongAdder;

/** How often what happened. Thread-safe. */
public final class EvidenceCounts {

    private final LongAdder tried = new LongAdder();
    private final LongAdder attended = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final LongAdder probes = new LongAdder();
    private final LongAdder found = new LongAdder();
    private final LongAdder dismissed = new LongAdder();

    void triedToAttend() {
        tried.increment();
    }

    void attendedOne() {
        attended.increment();
    }

    void leftOne() {
        left.increment();
    }

    void probed() {
        probes.increment();
    }

    void foundOne() {
        found.increment();
    }

    void dismissedOne() {
        dismissed.increment();
    }

    /** Attempts to connect to a holder in order to attend it. */
    public long tried() {
        return tried.sum();
    }

    /** Those of them that met exactly the process that holds the seat. */
    public long attended() {
        return attended.sum();
    }

    /** Processes whose end would be noticed at once, now. */
    public long attendedNow() {
        return attended.sum() - left.sum();
    }

    public long probes() {
        return probes.sum();
    }

    /** Processes that were found gone. */
    public long found() {
        return found.sum();
    }

    /** Connections that closed without evidence, and evidence that did not last. */
    public long dismissed() {
        return dismissed.sum();
    }
}
