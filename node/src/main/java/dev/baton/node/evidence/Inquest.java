package dev.baton.node.evidence;

import dev.baton.core.Holder;
import java.time.Duration;

/**
 * Finds out whether a process is gone whose connection closed.
 *
 * <p>It probes at once, and again while nothing is clear: a dying process may close its connections before it stops
 * listening. What shows only after {@link #WITHIN} counts as silence.
 */
final class Inquest {

    static final Duration WITHIN = Duration.ofMillis(50);

    private static final Duration BETWEEN_PROBES = Duration.ofMillis(10);

    private final Prober prober;
    private final EvidenceCounts counts;

    Inquest(Prober prober, EvidenceCounts counts) {
        this.prober = prober;
        this.counts = counts;
    }

    Verdict hold(Holder holder, Ending ending) throws InterruptedException {
        return switch (ending) {
            case Ending.Closed closed -> hold(holder, closed);
            case Ending.Farewell() -> new Verdict.Unknown("it said goodbye");
            case Ending.NeverAttended(String why) -> new Verdict.Unknown(why);
        };
    }

    private Verdict hold(Holder holder, Ending.Closed closed) throws InterruptedException {
        long untilNanos = System.nanoTime() + WITHIN.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(untilNanos - System.nanoTime());
            Verdict verdict = Verdict.on(holder, prober.probe(closed.place(), left));
            counts.probed();
            if (!(verdict instanceof Verdict.Unknown)) {
                return verdict;
            }
            Thread.sleep(BETWEEN_PROBES);
            if (System.nanoTime() - untilNanos >= 0) {
                return verdict;
            }
        }
    }
}
