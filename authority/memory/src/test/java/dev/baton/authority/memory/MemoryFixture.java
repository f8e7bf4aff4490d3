package dev.baton.authority.memory;

import dev.baton.authority.Authority;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The engine in memory on the real clock; the fixture's thread ticks it, since the engine has none. */
final class MemoryFixture implements EngineFixture {

    private final MemoryEngine engine;
    private final Duration patience;
    private final Map<NodeId, Authority> joined = new HashMap<>();
    private final ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor();
    private final Future<?> ticks;

    MemoryFixture() {
        this(SeatRecord::new, Duration.ofMillis(1500), Duration.ofSeconds(60));
    }

    MemoryFixture(MemoryEngine.Records records, Duration lease, Duration patience) {
        this.patience = patience;
        engine = new MemoryEngine(lease, System::nanoTime, Runnable::run, records);
        ticks = ticking.scheduleWithFixedDelay(engine::tick, 10, 10, TimeUnit.MILLISECONDS);
    }

    @Override
    public Authority join(NodeId node) {
        Authority connection = engine.connect(node);
        Authority before = joined.put(node, connection);
        if (before != null) {
            before.close();
        }
        return connection;
    }

    /** Only appends renew, so there is nothing to do. */
    @Override
    public void silence(NodeId node) {}

    @Override
    public Duration lease() {
        return engine.lease();
    }

    @Override
    public Duration patience() {
        return patience;
    }

    @Override
    public void restartEngine() {
        engine.restart();
    }

    @Override
    public void close() {
        if (ticks.isDone()) {
            throw new IllegalStateException("the engine does not tick any more: " + ticks);
        }
        ticking.close();
        joined.values().forEach(Authority::close);
    }
}
