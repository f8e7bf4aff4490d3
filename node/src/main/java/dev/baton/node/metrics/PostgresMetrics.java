package dev.baton.node.metrics;

import dev.baton.duty.postgres.PostgresDuty;
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
    }
}
