package dev.baton.duty.mempool.redis;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the shared pool is, and how this node speaks to it.
 *
 * @param url {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for TLS
 * @param prefix what all keys of the pool begin with, in braces, so that a Redis Cluster keeps them together
 * @param connections how many connections this node opens for operations
 * @param timeout how long an operation waits before it is given up
 */
public record RedisMempoolSettings(String url, String prefix, int connections, Duration timeout) {

    public static final String DEFAULT_PREFIX = "dolos:mempool";
    public static final int DEFAULT_CONNECTIONS = 10;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9:._-]{1,100}");

    public static RedisMempoolSettings at(String url) {
        return new RedisMempoolSettings(url, DEFAULT_PREFIX, DEFAULT_CONNECTIONS, DEFAULT_TIMEOUT);
    }

    public RedisMempoolSettings withPrefix(String prefix) {
        return new RedisMempoolSettings(url, prefix, connections, timeout);
    }

    public RedisMempoolSettings withConnections(int connections) {
        return new RedisMempoolSettings(url, prefix, connections, timeout);
    }

    public RedisMempoolSettings withTimeout(Duration timeout) {
        return new RedisMempoolSettings(url, prefix, connections, timeout);
    }

    /** What a key begins with. */
    String keyPrefix() {
        return "{" + prefix + "}:";
    }

    /** Everything wrong with these; an empty list allows a start. */
    public List<Fault> faults(String key) {
        List<Fault> faults = new ArrayList<>();
        if (!url.startsWith("redis://") && !url.startsWith("rediss://")) {
            faults.add(new Fault(key + "url", url, "redis://host:port or rediss://host:port"));
        }
        if (!PREFIX.matcher(prefix).matches()) {
            faults.add(new Fault(key + "prefix", prefix, "1 to 100 letters, digits and :._-"));
        }
        if (connections < 1 || connections > 1000) {
            faults.add(new Fault(key + "connections", Integer.toString(connections), "1 to 1000"));
        }
        if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
            faults.add(new Fault(key + "timeout", timeout.toString(), "PT0.001S to PT1M"));
        }
        return List.copyOf(faults);
    }
}
