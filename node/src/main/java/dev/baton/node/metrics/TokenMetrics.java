package dev.baton.node.metrics;

import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.TokenFigures;
import dev.baton.duty.tokens.Tokens;
import dev.baton.duty.tokens.rpc.TokenMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;

/** What a seat of tokens counts and times. */
public final class TokenMetrics implements TokenMeter {

    /** So many namespaces have a line of their own: callers may make any number of them, Prometheus bears few. */
    static final int MOST_NAMESPACES = 100;

    static final String OTHER = "other";

    private static final String HANDED = "Tokens that this node handed out";

    /** The published design promises 2.9 ms for 99 of 100 requests. */
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(3),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1)
    };

    private final MeterRegistry registry;
    private final Tags tags;
    private final Tokens tokens;
    private final Timer strict;
    private final Timer leased;
    private final Counter unavailable;

    /** What each namespace promises; it never changes. */
    private final Map<String, Guarantee> guarantees = new ConcurrentHashMap<>();

    private final Set<String> named = new HashSet<>();
    private volatile TokenFigures figures;
    private volatile long others;

    TokenMetrics(MeterRegistry registry, String seat, Tokens tokens, IntSupplier streams) {
        this.registry = registry;
        this.tags = Tags.of("seat", seat);
        this.tokens = tokens;
        this.figures = tokens.figures();
        strict = timer(Guarantee.STRICT);
        leased = timer(Guarantee.LEASED);
        unavailable = Counter.builder("baton_tokens_unavailable")
                .description("Requests that came while this node did not hold the seat, or lost it meanwhile")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_tokens_streams", streams, IntSupplier::getAsInt)
                .description("Streams of tokens that are open")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        gauge("baton_tokens_waiting", "Requests that wait for a commit", now -> now.waiting());
        gauge("baton_tokens_checkpoint_bytes", "Size of the last checkpoint", now -> now.checkpointBytes());
        gauge(
                "baton_tokens_entries_since_checkpoint",
                "Entries that a rebuild reads after the last checkpoint",
                now -> now.entriesSinceCheckpoint());
        counter("baton_tokens_requests", tags, "Requests that were answered with tokens", now -> now.requests());
        counter("baton_tokens_commits", tags, "Entries that carried requests", now -> now.commits());
        counter("baton_tokens_duplicates", tags, "Retries that were recognised", now -> now.duplicates());
        for (Refusal reason : Refusal.values()) {
            counter(
                    "baton_tokens_refusals",
                    tags.and("reason", reason.name().toLowerCase(Locale.ROOT)),
                    "Requests that were refused",
                    now -> now.refusals().getOrDefault(reason, 0L));
        }
        FunctionCounter.builder("baton_tokens_handed", this, counted -> counted.others)
                .description(HANDED)
                .tags(tags.and("namespace", OTHER))
                .register(registry);
    }

    private Timer timer(Guarantee guarantee) {
        return Timer.builder("baton_tokens_request")
                .description("From a single request to its answer, at the server")
                .tags(tags.and("guarantee", guarantee.name().toLowerCase(Locale.ROOT)))
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    private void gauge(String name, String help, ToDoubleFunction<TokenFigures> value) {
        Gauge.builder(name, this, counted -> value.applyAsDouble(counted.figures))
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private void counter(String name, Tags labels, String help, ToDoubleFunction<TokenFigures> value) {
        FunctionCounter.builder(name, this, counted -> value.applyAsDouble(counted.figures))
                .description(help)
                .tags(labels)
                .register(registry);
    }

    /** Looks once for all that a scrape shows. Those who come first get a line of their own, and keep it. */
    synchronized void refresh() {
        TokenFigures now = tokens.figures();
        now.handed().entrySet().stream()
                .filter(handed ->
                        !named.contains(handed.getKey()) && !handed.getKey().equals(OTHER))
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMESPACES - named.size())
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::name);
        others = now.handed().entrySet().stream()
                .filter(handed -> !named.contains(handed.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        figures = now;
    }

    private void name(String namespace) {
        named.add(namespace);
        counter(
                "baton_tokens_handed",
                tags.and("namespace", namespace),
                HANDED,
                now -> now.handed().getOrDefault(namespace, 0L));
    }

    @Override
    public void handed(String namespace, long tookNanos) {
        Guarantee guarantee = guarantees.get(namespace);
        if (guarantee == null) {
            guarantee = guarantees.computeIfAbsent(namespace, this::look);
        }
        (guarantee == Guarantee.STRICT ? strict : leased).record(tookNanos, TimeUnit.NANOSECONDS);
    }

    private Guarantee look(String namespace) {
        List<NamespaceView> known = tokens.namespaces(namespace);
        return known.stream()
                .filter(view -> view.name().equals(namespace))
                .map(NamespaceView::guarantee)
                .findFirst()
                .orElse(Guarantee.STRICT);
    }

    @Override
    public void unavailable() {
        unavailable.increment();
    }
}
