package dev.baton.node.metrics;

import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How long each phase of this node's takeovers took, as histograms. Called on the driver's loop. */
final class TakeoverPhases {

    private final LongSupplier nanoClock;
    private final Timer elect;
    private final Timer recover;
    private final Timer open;
    private final Timer total;
    private long askedNanos;
    private long phaseNanos;
    private boolean onTheWay;

    TakeoverPhases(MeterRegistry registry, Tags tags, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.elect = timer(registry, tags, "elect");
        this.recover = timer(registry, tags, "recover");
        this.open = timer(registry, tags, "open");
        this.total = timer(registry, tags, "total");
    }

    private static Timer timer(MeterRegistry registry, Tags tags, String phase) {
        return Timer.builder("baton_takeover_phase")
                .description("How long a phase of a takeover took: elect, from asking to being given the seat; recover,"
                        + " until the duty has caught up; open, until the first entry is committed; total, all of them")
                .tags(tags.and("phase", phase))
                .serviceLevelObjectives(
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30))
                .register(registry);
    }

    void stepped(Standing before, Input input, Step step) {
        Standing now = step.next();
        if (now instanceof Standing.Asking && !(before instanceof Standing.Asking)) {
            askedNanos = nanoClock.getAsLong();
            phaseNanos = askedNanos;
            onTheWay = true;
        } else if (!onTheWay) {
            return;
        } else if (now instanceof Standing.Opening && before instanceof Standing.Asking) {
            ended(elect);
        } else if (now instanceof Standing.Opening && input instanceof Input.Assumed) {
            ended(recover);
        } else if (now instanceof Standing.Leader && before instanceof Standing.Opening) {
            ended(open);
            total.record(phaseNanos - askedNanos, TimeUnit.NANOSECONDS);
            onTheWay = false;
        } else if (!(now instanceof Standing.Asking) && !(now instanceof Standing.Opening)) {
            onTheWay = false; // it came to nothing
        }
    }

    private void ended(Timer phase) {
        long nowNanos = nanoClock.getAsLong();
        phase.record(nowNanos - phaseNanos, TimeUnit.NANOSECONDS);
        phaseNanos = nowNanos;
    }
}
