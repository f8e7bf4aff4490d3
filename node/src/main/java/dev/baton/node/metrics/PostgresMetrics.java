package dev.baton.node.metrics;

import dev.baton.duty.postgres.PostgresDuty;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** What a seat with a PostgreSQL counts. */
final class PostgresMetrics {

    private PostgresMetrics() {}

    static void register(MeterRegistry registry, String seat, PostgresDuty duty) {
        Tags tags = Tags.of("seat", seat);
        Gauge.builder("baton_postgres_primary", duty, it -> it.isPrimary() ? 1 : 0)
                .description("1 while clients can write to this node's server")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_postgres_running", duty, it -> it.view().running() ? 1 : 0)
                .description("1 while this node's server answers")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_postgres_timeline", duty, it -> it.view().timeline())
                .description("The timeline of this node's server")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_postgres_lag_bytes", duty, PostgresDuty::lagBytes)
                .description("How far this node's server is behind the last position in the ledger")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "baton_fencing_last_seconds",
                        duty,
                        it -> it.count().lastTook().toNanos() / 1e9)
                .description("How long stopping the server for sure took last")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("baton_fencing_failed", duty, it -> it.count().failures())
                .description("Climbs of the fencing ladder after which something still ran; any is an emergency")
                .tags(tags)
                .register(registry);
    }
}
