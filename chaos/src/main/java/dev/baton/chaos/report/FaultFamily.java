package dev.baton.chaos.report;

import dev.baton.chaos.plan.FaultKind;
import java.util.Locale;

/** Kinds of fault by what they strike: as many as there are colours that everybody can tell apart. */
enum FaultFamily {
    PROCESS("processes"),
    NETWORK("network"),
    ENGINE("engine servers"),
    STORAGE("disks"),
    PLANNED("planned changes");

    private final String words;

    FaultFamily(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    String css() {
        return name().toLowerCase(Locale.ROOT);
    }

    static FaultFamily of(FaultKind kind) {
        return switch (kind) {
            case KILL, PAUSE, CLOCK -> PROCESS;
            case PARTITION, LATENCY, LOSS, THROTTLE, CORRUPT, TRUNCATE, HALF_OPEN, CLIENT_CUT, FALSE_EVIDENCE ->
                NETWORK;
            case ENGINE_RESTART, ENGINE_ROLLBACK, ENGINE_EMPTY -> ENGINE;
            case DISK_FULL, SLOW_FSYNC -> STORAGE;
            case HANDOFF, ROLLING_RESTART -> PLANNED;
        };
    }
}
