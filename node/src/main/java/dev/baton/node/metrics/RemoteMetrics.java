package dev.baton.node.metrics;

import dev.baton.duty.remote.Looked;
import dev.baton.duty.remote.RemoteDuty;
import dev.baton.duty.remote.RemoteView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;

/** What a seat with a sequencer of another process counts. */
final class RemoteMetrics {

    private RemoteMetrics() {}

    static void register(MeterRegistry registry, String seat, RemoteDuty duty) {
        Tags tags = Tags.of("seat", seat);
        gauge(registry, tags, "baton_remote_up", "1 while the sequencer answers", duty, seen(view -> 1));
        gauge(
                registry,
                tags,
                "baton_remote_active",
                "1 while the sequencer makes blocks",
                duty,
                seen(view -> view.active() ? 1 : 0));
        gauge(
                registry,
                tags,
                "baton_remote_strayed",
                "1 while it makes blocks although another node holds the seat; an emergency if it lasts",
                duty,
                it -> it.hasStrayed() ? 1 : 0);
        gauge(
                registry,
                tags,
                "baton_remote_head",
                "The number of the sequencer's last block",
                duty,
                seen(view -> view.head().number()));
        gauge(
                registry,
                tags,
                "baton_remote_recorded",
                "The number of the last block in the ledger",
                duty,
                it -> it.record().head().number());
        gauge(
                registry,
                tags,
                "baton_remote_head_age_seconds",
                "How long the head of the holder's sequencer has stood still",
                duty,
                it -> it.headAge().toNanos() / 1e9);
        gauge(
                registry,
                tags,
                "baton_remote_peers",
                "How many others the sequencer is connected to",
                duty,
                seen(view -> view.peers().orElse(0)));
        gauge(
                registry,
                tags,
                "baton_fencing_last_seconds",
                "How long stopping the sequencer for sure took last",
                duty,
                it -> it.count().lastTook().toNanos() / 1e9);
        FunctionCounter.builder("baton_fencing_failed", duty, it -> it.count().failures())
                .description("Times that a stop of the sequencer was not proven at first; each is an emergency")
                .tags(tags)
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            Tags tags,
            String name,
            String description,
            RemoteDuty duty,
            ToDoubleFunction<RemoteDuty> value) {
        Gauge.builder(name, duty, value).description(description).tags(tags).register(registry);
    }

    private static ToDoubleFunction<RemoteDuty> seen(ToDoubleFunction<RemoteView> value) {
        return duty -> duty.lastLook() instanceof Looked.Seen(RemoteView view) ? value.applyAsDouble(view) : 0;
    }
}
