package dev.baton.node.metrics;

import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.TimedMempool;
import dev.baton.duty.mempool.UnavailableException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a seat of a mempool counts and times. */
public final class MempoolMetrics {

    /** Where timings go that come before anybody counts them. */
    public static final class Sink implements TimedMempool.Stopwatch {
        private volatile TimedMempool.@Nullable Stopwatch to;

        @Override
        public void took(String operation, long nanos, boolean failed) {
            TimedMempool.Stopwatch listener = to;
            if (listener != null) {
                listener.took(operation, nanos, failed);
            }
        }
    }

    private final MeterRegistry registry;
    private final Tags tags;
    private final Mempool pool;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile @Nullable MempoolStats stats;
    private volatile boolean watching;
    private volatile boolean reachable;

    MempoolMetrics(MeterRegistry registry, String seat, Mempool pool, Sink timings) {
        this.registry = registry;
        this.tags = Tags.of("seat", seat);
        this.pool = pool;
        gauge("baton_mempool_pending", "Transactions that wait to be propagated", MempoolStats::pending);
        gauge("baton_mempool_inflight", "Transactions that were propagated", MempoolStats::inflight);
        gauge("baton_mempool_confirmed", "Of those in flight, the ones that a block carries", MempoolStats::confirmed);
        gauge("baton_mempool_finalized", "Finalized and dropped ones that are remembered", MempoolStats::finalized);
        gauge(
                "baton_mempool_chain_height",
                "The last block that the pool knows",
                now -> now.cursor().number());
        gauge(
                "baton_mempool_oldest_pending_seconds",
                "How long the transaction at the head of pending has waited",
                now -> now.oldestPendingAtMillis()
                        .map(at -> Math.max(0, System.currentTimeMillis() - at) / 1000.0)
                        .orElse(0.0));
        Gauge.builder("baton_mempool_watcher", this, now -> now.watching ? 1 : 0)
                .description("1 on the node that watches the chain for the pool")
                .tags(tags)
                .register(registry);
        Gauge.builder("baton_mempool_reachable", this, now -> now.reachable ? 1 : 0)
                .description("1 while the pool's keeper answers this node")
                .tags(tags)
                .register(registry);
        counter("baton_mempool_claims_returned", "Claims that lapsed", MempoolStats::claimsReturned);
        counter("baton_mempool_fenced_confirms", "Calls of replaced watchers", MempoolStats::fencedConfirms);
        timings.to = this::took;
    }

    private void gauge(String name, String help, ToDoubleFunction<MempoolStats> value) {
        Gauge.builder(name, this, counted -> counted.value(value))
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private void counter(String name, String help, ToDoubleFunction<MempoolStats> value) {
        FunctionCounter.builder(name, this, counted -> counted.value(value))
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private double value(ToDoubleFunction<MempoolStats> value) {
        MempoolStats now = stats;
        return now == null ? 0 : value.applyAsDouble(now);
    }

    private void took(String operation, long nanos, boolean failed) {
        timers.computeIfAbsent(
                        operation + (failed ? " failed" : ""),
                        key -> Timer.builder("baton_mempool_operation")
                                .description("From asking the pool to its answer")
                                .tags(tags.and("operation", operation, "failed", Boolean.toString(failed)))
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Looks at the pool, on a thread of its own: whoever calls this must not wait for Redis. */
    public void refresh(boolean leads) {
        watching = leads;
        if (looking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("mempool-metrics").start(() -> {
                try {
                    stats = pool.stats();
                    reachable = true;
                } catch (UnavailableException e) {
                    reachable = false;
                } finally {
                    looking.set(false);
                }
            });
        }
    }
}
