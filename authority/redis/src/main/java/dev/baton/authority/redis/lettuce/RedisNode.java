package dev.baton.authority.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.quorum.Link;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.authority.redis.script.Script;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Redis, for all seats: two lines so that large pages do not hold up short asks, and ears for its events. */
final class RedisNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisNode.class);
    private static final long LOOK_AGAIN_SECONDS = 5;

    private final Wiring wiring;
    private final String address;
    private final Runnable onReachable;
    private final Connecting<StatefulRedisConnection<byte[], byte[]>> expressConnecting;
    private final Connecting<StatefulRedisConnection<byte[], byte[]>> bulkConnecting;
    private final Line express;
    private final Line bulk;
    private final Ears ears;
    private final ScheduledExecutorService timer;

    /** By the key of the seat: events name keys. */
    private final Map<String, LettuceNetwork> networks = new ConcurrentHashMap<>();

    private final Set<LettuceNetwork> wantingRenewals = new HashSet<>();
    private final AtomicBoolean othersBegun = new AtomicBoolean();
    private volatile Fsync fsync = Fsync.LATER;
    private volatile String runId = "";
    private volatile boolean reachable;
    private volatile boolean closing;
    private volatile String lastTrouble = "";
    private volatile @Nullable ScheduledFuture<?> looking;
    private @Nullable CompletableFuture<?> lastLook;

    RedisNode(Wiring wiring, String address, ScheduledExecutorService timer, Runnable onReachable) {
        this.wiring = wiring;
        this.onReachable = onReachable;
        this.address = address;
        this.expressConnecting = new Connecting<>(new ExpressWay(), timer);
        this.bulkConnecting = new Connecting<>(new BulkWay(), timer);
        this.express = new Line(address, Line.Limits.EXPRESS, timer, expressConnecting::drop);
        this.bulk = new Line(address, Line.Limits.BULK, timer, bulkConnecting::drop);
        this.ears = new Ears(wiring, address, timer, this::heard);
        this.timer = timer;
    }

    void begin() {
        looking =
                timer.scheduleWithFixedDelay(this::lookAgain, LOOK_AGAIN_SECONDS, LOOK_AGAIN_SECONDS, TimeUnit.SECONDS);
        expressConnecting.begin();
    }

    String address() {
        return address;
    }

    Line line(Link.Lane lane) {
        return switch (lane) {
            case EXPRESS -> express;
            case BULK -> bulk.isUp() ? bulk : express; // it comes second, and pages must not wait for it
        };
    }

    Fsync fsync() {
        return fsync;
    }

    String runId() {
        return runId;
    }

    boolean isReachable() {
        return reachable;
    }

    /** From now on, this network hears what happens to its seat here. */
    void attach(String seatKey, LettuceNetwork network) {
        networks.put(seatKey, network);
        if (reachable) {
            network.tell(new Network.News(address, Network.News.Kind.CONNECTED));
        }
    }

    /** Listens to renewals as long as any network wants them. */
    void wantRenewals(LettuceNetwork network, boolean wanted) {
        synchronized (wantingRenewals) {
            if (wanted) {
                wantingRenewals.add(network);
            } else {
                wantingRenewals.remove(network);
            }
            ears.setRenewals(!wantingRenewals.isEmpty());
        }
    }

    private void heard(String key, Network.News.Kind kind) {
        LettuceNetwork network = networks.get(key);
        if (network != null) {
            network.tell(new Network.News(address, kind));
        }
    }

    /** A connection may break at any moment; that must not end the looking. */
    private void lookAgain() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.debug("Redis {} could not be looked at", address, e);
        }
    }

    /** What can be configured while it runs is looked at again, and dead ears are noticed. */
    private void look() {
        ears.check();
        StatefulRedisConnection<byte[], byte[]> connection = expressConnecting.current();
        if (connection == null || (lastLook != null && !lastLook.isDone())) {
            return;
        }
        lastLook = NodeFacts.readConfig(connection.async())
                .thenAccept(config -> writes(config.map(NodeFacts.Config::fsync).orElse(Fsync.LATER)))
                .toCompletableFuture();
    }

    /** What counts at the next restart is what the node has on record, so a change is brought there at once. */
    private void writes(Fsync now) {
        if (now != fsync) {
            fsync = now;
            tellConnected();
        }
    }

    private void tellConnected() {
        List.copyOf(networks.values())
                .forEach(network -> network.tell(new Network.News(address, Network.News.Kind.CONNECTED)));
    }

    @Override
    public void close() {
        closing = true;
        ScheduledFuture<?> repeated = looking;
        if (repeated != null) {
            repeated.cancel(false);
        }
        expressConnecting.close();
        bulkConnecting.close();
        ears.close();
    }

    private void trouble(String why) {
        if (!closing && !why.equals(lastTrouble)) {
            lastTrouble = why;
            LOG.warn("Redis {} cannot be used: {}", address, why);
        }
    }

    private static CompletionStage<?> loadScripts(RedisAsyncCommands<byte[], byte[]> redis) {
        return CompletableFuture.allOf(Arrays.stream(Script.values())
                .map(script -> redis.scriptLoad(script.source().getBytes(UTF_8)).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The line that comes first: a node that cannot be used is not bothered by more connections. */
    private final class ExpressWay implements Connecting.Way<StatefulRedisConnection<byte[], byte[]>> {

        /** Who answered on a connection. An attempt that was given up may still be answered, so the two stay together. */
        private record Greeted(StatefulRedisConnection<byte[], byte[]> connection, String run) {}

        private volatile @Nullable Greeted greeted;

        @Override
        public CompletionStage<StatefulRedisConnection<byte[], byte[]>> connect() {
            return wiring.connectExpress(address);
        }

        @Override
        public CompletionStage<?> greet(StatefulRedisConnection<byte[], byte[]> connection) {
            RedisAsyncCommands<byte[], byte[]> redis = connection.async();
            return NodeFacts.read(redis).thenCompose(facts -> {
                if (facts.unusable().isPresent()) {
                    return CompletableFuture.failedFuture(
                            new IllegalStateException(facts.unusable().get()));
                }
                fsync = facts.fsync();
                runId = facts.runId();
                greeted = new Greeted(connection, facts.runId());
                return loadScripts(redis).thenCompose(loaded -> wantEvents(redis, facts));
            });
        }

        /** Without the events vacancies are found by polling, only later: so a refusal is no reason to stay away. */
        private CompletionStage<?> wantEvents(RedisAsyncCommands<byte[], byte[]> redis, NodeFacts facts) {
            String flags =
                    facts.config().map(NodeFacts.Config::notifyKeyspaceEvents).orElse("");
            String merged = KeyspaceEvents.merged(flags);
            if (facts.config().isPresent() && merged.equals(flags)) {
                return CompletableFuture.completedFuture(true);
            }
            if (facts.config().isEmpty()) {
                LOG.info(
                        "Redis {} does not let us see its configuration: it must have notify-keyspace-events Exg",
                        address);
                return CompletableFuture.completedFuture(true);
            }
            return redis.configSet("notify-keyspace-events", merged).handle((done, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "Redis {} refuses notify-keyspace-events {}: {}",
                            address,
                            merged,
                            Connecting.reason(failure));
                }
                return true;
            });
        }

        @Override
        public void up(StatefulRedisConnection<byte[], byte[]> connection) {
            Greeted last = greeted;
            express.up(connection, last != null && last.connection().equals(connection) ? last.run() : "");
            reachable = true;
            lastTrouble = "";
            LOG.info("Redis {} is connected", address);
            if (othersBegun.compareAndSet(false, true)) {
                bulkConnecting.begin();
                ears.begin();
            }
            tellConnected();
            onReachable.run();
        }

        @Override
        public void down(String why) {
            reachable = false;
            express.down(why);
            trouble(why);
        }
    }

    private final class BulkWay implements Connecting.Way<StatefulRedisConnection<byte[], byte[]>> {

        @Override
        public CompletionStage<StatefulRedisConnection<byte[], byte[]>> connect() {
            return wiring.connectBulk(address);
        }

        @Override
        public CompletionStage<?> greet(StatefulRedisConnection<byte[], byte[]> connection) {
            return loadScripts(connection.async());
        }

        @Override
        public void up(StatefulRedisConnection<byte[], byte[]> connection) {
            bulk.up(connection, "");
        }

        @Override
        public void down(String why) {
            bulk.down(why);
        }
    }
}
