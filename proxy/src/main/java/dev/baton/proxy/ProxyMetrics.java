package dev.baton.proxy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What a proxy counts. Thread-safe. */
final class ProxyMetrics implements AutoCloseable {

    /** The way a request came in. */
    enum Route {
        HTTP,
        GRPC,
        TCP
    }

    /** How a request ended, as the label says it. */
    enum Outcome {
        PASSED,
        FAILED,
        REFUSED,
        TOO_LATE,
        FULL
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicInteger underWay = new AtomicInteger();
    private final Map<Route, Map<Outcome, Counter>> requests = new EnumMap<>(Route.class);
    private final Map<Route, Counter> replayed = new EnumMap<>(Route.class);
    private final Counter changes;
    private final Timer held;

    ProxyMetrics() {
        for (Route route : Route.values()) {
            Map<Outcome, Counter> ended = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                ended.put(
                        outcome,
                        Counter.builder("baton_proxy_requests")
                                .description("Requests (connections, for tcp) by how they ended")
                                .tags(Tags.of("route", word(route), "outcome", word(outcome)))
                                .register(registry));
            }
            requests.put(route, ended);
            replayed.put(
                    route,
                    Counter.builder("baton_proxy_replays")
                            .description("Times that a request was sent again: its holder was gone, or not the holder")
                            .tags(Tags.of("route", word(route)))
                            .register(registry));
        }
        changes = Counter.builder("baton_proxy_holder_changes")
                .description("Times that the seat was seen to come to another node")
                .register(registry);
        held = Timer.builder("baton_proxy_held")
                .description("How long requests were held back that were held back at all")
                .serviceLevelObjectives(
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(15))
                .register(registry);
        Gauge.builder("baton_proxy_under_way", underWay, AtomicInteger::get)
                .description("Requests and connections that are not finished, held ones among them")
                .register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void watch(SeatWatch watch, WaitingRoom room) {
        Gauge.builder("baton_proxy_waiting", room, WaitingRoom::waiting)
                .description("Requests that are held back until somebody holds the seat")
                .register(registry);
        Gauge.builder("baton_proxy_waiting_bytes", room, WaitingRoom::waitingBytes)
                .description("Bytes of bodies that are held back")
                .register(registry);
        Gauge.builder(
                        "baton_proxy_holder_known",
                        watch,
                        seen -> seen.view().holder().isPresent() ? 1 : 0)
                .description("1 if the proxy knows who holds the seat")
                .register(registry);
        Gauge.builder("baton_proxy_epoch", watch, seen -> seen.view().epoch())
                .description("The highest epoch at which the proxy saw the seat held")
                .register(registry);
        watch.onChange(view -> {
            if (view.holder().isPresent()) {
                changes.increment();
            }
        });
    }

    void began() {
        underWay.incrementAndGet();
    }

    void ended(Route route, Outcome outcome) {
        underWay.decrementAndGet();
        Objects.requireNonNull(Objects.requireNonNull(requests.get(route)).get(outcome))
                .increment();
    }

    void replayed(Route route) {
        Objects.requireNonNull(replayed.get(route)).increment();
    }

    void held(long nanos) {
        held.record(nanos, TimeUnit.NANOSECONDS);
    }

    int underWay() {
        return underWay.get();
    }

    String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
