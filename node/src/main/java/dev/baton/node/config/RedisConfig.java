package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The Redis nodes that keep the seats, and how patient this node is with them.
 *
 * @param nodes where to look first; which of them decide is kept in the ledger and may change while nodes run
 * @param nodeTimeout after this, one Redis node counts as silent
 * @param attempts how often a promotion is tried when candidates get in each other's way
 */
public record RedisConfig(
        List<HostPort> nodes,
        EngineAccess access,
        Duration nodeTimeout,
        int attempts,
        Duration retry,
        Duration retryJitter,
        Duration poll,
        Duration pollJitter) {

    public static final int MOST_NODES = 7;
    public static final int MOST_ATTEMPTS = 100;
    public static final Duration DEFAULT_NODE_TIMEOUT = Duration.ofMillis(100);

    private static final Duration SHORTEST_NODE_TIMEOUT = Duration.ofMillis(10);
    private static final Duration SHORTEST_POLL = Duration.ofMillis(20);

    public RedisConfig {
        nodes = List.copyOf(nodes);
    }

    /** The {@code host:port} of every node. */
    public List<String> addresses() {
        return nodes.stream().map(HostPort::toString).toList();
    }

    List<Fault> faults(String prefix, List<SeatConfig> seats) {
        List<Fault> faults = new ArrayList<>();
        if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
            faults.add(new Fault(
                    prefix + "nodes",
                    nodes.isEmpty() ? "none" : nodes.size() + " Redis nodes",
                    "host:port of 1 to " + MOST_NODES + " Redis nodes, 3 or 5 as a rule"));
        }
        if (new HashSet<>(nodes).size() < nodes.size()) {
            faults.add(new Fault(prefix + "nodes", addresses().toString(), "each Redis node once"));
        }
        nodes.stream()
                .filter(node -> node.port() == 0 || node.isWildcard())
                .forEach(node -> faults.add(
                        new Fault(prefix + "nodes", node.toString(), "an address that can be connected to")));
        access.addFaults(prefix, faults);
        timeFaults(prefix, seats, faults);
        return faults;
    }

    private void timeFaults(String prefix, List<SeatConfig> seats, List<Fault> faults) {
        atLeast(prefix + "node-timeout", nodeTimeout, SHORTEST_NODE_TIMEOUT, faults);
        atLeast(prefix + "retry", retry, Duration.ofMillis(1), faults);
        atLeast(prefix + "retry-jitter", retryJitter, Duration.ZERO, faults);
        atLeast(prefix + "poll", poll, SHORTEST_POLL, faults);
        atLeast(prefix + "poll-jitter", pollJitter, Duration.ZERO, faults);
        for (SeatConfig seat : seats) {
            Duration timeout = seat.timings().timeout();
            if (nodeTimeout.compareTo(timeout) >= 0) {
                faults.add(new Fault(
                        prefix + "node-timeout",
                        Durations.show(nodeTimeout),
                        "shorter than pulse.timeout " + Durations.show(timeout) + " of seat " + seat.name()
                                + ", or one silent Redis node could cost a pulse"));
            }
        }
    }

    private static void atLeast(String key, Duration value, Duration least, List<Fault> faults) {
        if (value.compareTo(least) < 0) {
            faults.add(new Fault(key, Durations.show(value), Durations.show(least) + " or longer"));
        }
    }

    /** What is allowed but rarely wanted. */
    List<String> warnings() {
        if (nodes.size() == 1) {
            return List.of("authority.nodes has one Redis node: while it is away nobody leads, and if it loses its data"
                    + " only baton recover helps");
        }
        return nodes.size() % 2 == 0
                ? List.of("authority.nodes has " + nodes.size() + " Redis nodes: they survive no more failures than "
                        + (nodes.size() - 1))
                : List.of();
    }
}
