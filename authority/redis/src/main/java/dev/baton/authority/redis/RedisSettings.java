package dev.baton.authority.redis;

import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the Redis nodes are reached.
 *
 * @param nodes where they listen, {@code host:port}. The set that decides is ledger content; this is where we begin
 * @param routes where to connect instead, for nodes whose own address does not lead there from here, as behind a proxy
 * @param nodeTimeout how long a short ask to one node may take before its outcome is declared unknown
 */
public record RedisSettings(
        List<String> nodes,
        Optional<Login> login,
        Optional<TlsFiles> tls,
        Duration nodeTimeout,
        QuorumSettings quorum,
        Map<String, String> routes) {

    public static final Duration DEFAULT_NODE_TIMEOUT = Duration.ofMillis(100);

    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(5);
    private static final Pattern ADDRESS = Pattern.compile("[^:/\\s,@]+:[0-9]{1,5}|\\[[^]\\s,@/]+]:[0-9]{1,5}");

    public RedisSettings {
        nodes = List.copyOf(nodes);
        routes = Map.copyOf(routes);
    }

    /** The default times, no login, no TLS. */
    public static RedisSettings of(List<String> nodes) {
        return new RedisSettings(
                nodes, Optional.empty(), Optional.empty(), DEFAULT_NODE_TIMEOUT, QuorumSettings.DEFAULT, Map.of());
    }

    public RedisSettings with(Login changed) {
        return new RedisSettings(nodes, Optional.of(changed), tls, nodeTimeout, quorum, routes);
    }

    public RedisSettings with(TlsFiles changed) {
        return new RedisSettings(nodes, login, Optional.of(changed), nodeTimeout, quorum, routes);
    }

    public RedisSettings with(QuorumSettings changed) {
        return new RedisSettings(nodes, login, tls, nodeTimeout, changed, routes);
    }

    public RedisSettings withNodeTimeout(Duration changed) {
        return new RedisSettings(nodes, login, tls, changed, quorum, routes);
    }

    public RedisSettings withRoutes(Map<String, String> changed) {
        return new RedisSettings(nodes, login, tls, nodeTimeout, quorum, changed);
    }

    /** Where to connect to reach the node of this address. */
    public String routeTo(String address) {
        return routes.getOrDefault(address, address);
    }

    /** So many nodes decide. */
    public int majority() {
        return nodes.size() / 2 + 1;
    }

    /** Everything that makes these settings unsafe or senseless; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        nodeFaults(prefix, faults);
        timeFaults(prefix, faults);
        login.flatMap(Login::user)
                .filter(String::isBlank)
                .ifPresent(
                        user -> faults.add(new Fault(prefix + "user", "\"" + user + "\"", "a name, or no such key")));
        login.map(Login::password)
                .filter(String::isEmpty)
                .ifPresent(
                        password -> faults.add(new Fault(prefix + "password", "empty", "a password, or no such key")));
        tls.ifPresent(files -> files.named().forEach((name, path) -> {
            if (!Files.isReadable(path)) {
                faults.add(new Fault(prefix + "tls." + name, path.toString(), "a readable file"));
            }
        }));
        return List.copyOf(faults);
    }

    private void nodeFaults(String prefix, List<Fault> faults) {
        if (nodes.isEmpty() || nodes.size() > MemberSet.MOST || new HashSet<>(nodes).size() < nodes.size()) {
            faults.add(new Fault(
                    prefix + "nodes", nodes.toString(), "1 to " + MemberSet.MOST + " Redis nodes, each once"));
        }
        for (String node : nodes) {
            if (!ADDRESS.matcher(node).matches() || portOf(node) < 1 || portOf(node) > 65535) {
                faults.add(new Fault(prefix + "nodes", node, "host:port"));
            }
        }
    }

    private void timeFaults(String prefix, List<Fault> faults) {
        if (nodeTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            faults.add(new Fault(prefix + "node-timeout", nodeTimeout.toString(), SHORTEST_TIMEOUT + " or longer"));
        }
        if (quorum.lease().compareTo(nodeTimeout.multipliedBy(2)) < 0) {
            faults.add(new Fault(
                    prefix + "lease",
                    quorum.lease().toString(),
                    "at least twice the node-timeout " + nodeTimeout + ", or one lost answer ends a term"));
        }
        if (quorum.attempts() < 1) {
            faults.add(new Fault(prefix + "attempts", quorum.attempts() + "", "1 or more"));
        }
        if (!quorum.poll().isPositive()) {
            faults.add(new Fault(prefix + "poll", quorum.poll().toString(), "longer than nothing"));
        }
        if (quorum.retry().isNegative()
                || quorum.retryJitter().isNegative()
                || quorum.pollJitter().isNegative()) {
            faults.add(new Fault(
                    prefix + "retry, retry-jitter, poll-jitter",
                    quorum.retry() + ", " + quorum.retryJitter() + ", " + quorum.pollJitter(),
                    "nothing below zero"));
        }
    }

    /** What is allowed but rarely wanted. */
    public List<String> warnings() {
        return switch (nodes.size() % 2) {
            case 0 ->
                List.of(nodes.size() + " Redis nodes bear the loss of no more of them than " + (nodes.size() - 1)
                        + " do");
            default ->
                nodes.size() == 1 ? List.of("one Redis node alone: its loss loses the seat; use three") : List.of();
        };
    }

    /** The host of a {@code host:port}; an IPv6 one without its brackets. */
    public static String hostOf(String address) {
        String host = address.substring(0, address.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The port of a {@code host:port}. */
    public static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
