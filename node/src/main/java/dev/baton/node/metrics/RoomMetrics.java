package dev.baton.node.metrics;

import dev.baton.node.EngineRoom;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * How full the servers of an engine are, asked now and then, since a scrape must not wait for them.
 *
 * <p>Every node asks, whoever holds the seat: a full engine lets nobody hold one.
 */
public final class RoomMetrics implements AutoCloseable {

    private static final Duration BETWEEN = Duration.ofSeconds(15);

    private final EngineRoom room;
    private final MultiGauge bytes;
    private final MultiGauge quota;
    private final MultiGauge full;
    private final Thread asks;
    private volatile List<EngineRoom.Used> last = List.of();

    RoomMetrics(MeterRegistry registry, EngineRoom room) {
        this.room = room;
        bytes = rows(registry, "baton_engine_database_bytes", "Size of a server's database, empty parts counted");
        quota = rows(registry, "baton_engine_quota_bytes", "Size at which a server refuses writes, if it tells");
        full = rows(registry, "baton_engine_full", "1 while a server refuses writes for want of room");
        this.asks = Thread.ofVirtual().name("engine-room").start(this::ask);
    }

    private static MultiGauge rows(MeterRegistry registry, String name, String help) {
        return MultiGauge.builder(name).description(help).register(registry);
    }

    private void ask() {
        try {
            while (true) {
                last = room.now();
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Shows what was seen last; a server that did not answer then has no line. */
    void refresh() {
        List<EngineRoom.Used> seen = last;
        show(bytes, seen, used -> true, EngineRoom.Used::bytes);
        show(
                quota,
                seen,
                used -> used.quotaBytes().isPresent(),
                used -> used.quotaBytes().orElse(0));
        show(full, seen, used -> true, used -> used.isFull() ? 1 : 0);
    }

    private static void show(
            MultiGauge gauge,
            List<EngineRoom.Used> seen,
            Predicate<EngineRoom.Used> isKnown,
            ToLongFunction<EngineRoom.Used> value) {
        gauge.register(
                seen.stream()
                        .filter(isKnown)
                        .<MultiGauge.Row<?>>map(
                                used -> MultiGauge.Row.of(Tags.of("server", used.server()), value.applyAsLong(used)))
                        .toList(),
                true);
    }

    @Override
    public void close() {
        asks.interrupt();
    }
}
