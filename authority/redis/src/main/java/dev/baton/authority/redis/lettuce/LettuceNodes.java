package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.quorum.Network;
import dev.baton.authority.redis.quorum.Surroundings;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The connections to all Redis nodes, shared by all seats of this process, and a few threads.
 *
 * <p>Opening waits for nothing: the nodes are connected in the background, and again whenever a connection is lost.
 */
public final class LettuceNodes implements AutoCloseable {

    private final RedisSettings settings;
    private final Wiring wiring;
    private final ScheduledThreadPoolExecutor timer;
    private final Map<String, RedisNode> nodes = new ConcurrentHashMap<>();
    private final Map<SeatId, LettuceNetwork> networks = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private LettuceNodes(RedisSettings settings) {
        this.settings = settings;
        this.wiring = new Wiring(settings);
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "baton-redis-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    public static LettuceNodes open(RedisSettings settings) {
        LettuceNodes all = new LettuceNodes(settings);
        settings.nodes().forEach(all::node);
        return all;
    }

    /** The ways to the nodes for one seat; the same object each time. */
    public Network networkFor(SeatId seat) {
        return networks.computeIfAbsent(seat, this::newNetwork);
    }

    private LettuceNetwork newNetwork(SeatId seat) {
        LettuceNetwork network = new LettuceNetwork(seat, settings.nodeTimeout(), this::node);
        settings.nodes().forEach(network::link);
        return network;
    }

    /** Real time and chance, and an order of their own, for one seat. */
    public Surroundings surroundings() {
        return new RealSurroundings(timer, RandomGenerator.getDefault());
    }

    private RedisNode node(String address) {
        return nodes.computeIfAbsent(address, unknown -> {
            RedisNode created = new RedisNode(wiring, unknown, timer, this::oneMoreIsReachable);
            if (!closed) {
                created.begin();
            }
            return created;
        });
    }

    /** Waits until so many nodes can be asked, but no longer than this; whether they can. */
    public synchronized boolean awaitReachable(int count, Duration atMost) throws InterruptedException {
        long untilNanos = System.nanoTime() + atMost.toNanos();
        while (nodes.values().stream().filter(RedisNode::isReachable).count() < count) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    private synchronized void oneMoreIsReachable() {
        notifyAll();
    }

    /** Whoever still waits is told that the outcome is unknown. No thread is left behind. */
    @Override
    public void close() {
        closed = true;
        nodes.values().forEach(RedisNode::close);
        wiring.close();
        timer.shutdownNow();
    }
}
