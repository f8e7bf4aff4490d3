package dev.baton.node.metrics;

import dev.baton.process.FencingCount;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** What a seat counts whose holder is fenced by stopping a process. */
final class FencingMetrics {

    private FencingMetrics() {}

    static void register(MeterRegistry registry, String seat, FencingCount count) {
        Tags tags = Tags.of("seat", seat);
        Gauge.builder("baton_fencing_last_seconds", count, it -> it.lastTook().toNanos() / 1e9)
                .description("How long stopping the workload for sure took last")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder(
                        "baton_fencing_stopped",
                        count,
                        it -> it.stopped().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .description("Climbs of the fencing ladder after which the workload was proven to be down")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("baton_fencing_failed", count, FencingCount::failures)
                .description("Climbs of the fencing ladder after which something still ran; any is an emergency")
                .tags(tags)
                .register(registry);
    }
}
