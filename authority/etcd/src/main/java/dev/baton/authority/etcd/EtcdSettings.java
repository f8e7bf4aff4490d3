package dev.baton.authority.etcd;

import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the etcd cluster is reached, and how its holder keeps it tidy.
 *
 * @param endpoints where the members listen for clients, {@code host:port}
 * @param requestTimeout the longest that any call takes; a third of it is left to one member before the next is asked
 * @param lease how long a silent holder keeps a seat, rounded up to whole seconds for etcd
 * @param compactAfter the holder lets etcd forget revisions older than this; zero leaves that to others
 * @param defragmentAboveBytes the holder gives space back to the disk when a member's database is larger than this and
 *     more than half empty; zero never
 */
public record EtcdSettings(
        List<String> endpoints,
        Optional<Login> login,
        Optional<TlsFiles> tls,
        Duration requestTimeout,
        Duration lease,
        Duration compactAfter,
        long defragmentAboveBytes) {

    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(5);
    public static final Duration DEFAULT_COMPACT_AFTER = Duration.ofMinutes(5);
    public static final long DEFAULT_DEFRAGMENT_ABOVE_BYTES = 64L << 20;

    private static final int MOST_ENDPOINTS = 9;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(50);
    private static final Pattern ADDRESS = Pattern.compile("[^:/\\s,@]+:[0-9]{1,5}|\\[[^]\\s,@/]+]:[0-9]{1,5}");

    public EtcdSettings {
        endpoints = List.copyOf(endpoints);
    }

    /** The default times, no login, no TLS. */
    public static EtcdSettings of(List<String> endpoints) {
        return new EtcdSettings(
                endpoints,
                Optional.empty(),
                Optional.empty(),
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_LEASE,
                DEFAULT_COMPACT_AFTER,
                DEFAULT_DEFRAGMENT_ABOVE_BYTES);
    }

    public EtcdSettings with(Login changed) {
        return new EtcdSettings(
                endpoints, Optional.of(changed), tls, requestTimeout, lease, compactAfter, defragmentAboveBytes);
    }

    public EtcdSettings with(TlsFiles changed) {
        return new EtcdSettings(
                endpoints, login, Optional.of(changed), requestTimeout, lease, compactAfter, defragmentAboveBytes);
    }

    public EtcdSettings withRequestTimeout(Duration changed) {
        return new EtcdSettings(endpoints, login, tls, changed, lease, compactAfter, defragmentAboveBytes);
    }

    public EtcdSettings withLease(Duration changed) {
        return new EtcdSettings(endpoints, login, tls, requestTimeout, changed, compactAfter, defragmentAboveBytes);
    }

    public EtcdSettings withUpkeep(Duration changedCompactAfter, long changedDefragmentAboveBytes) {
        return new EtcdSettings(
                endpoints, login, tls, requestTimeout, lease, changedCompactAfter, changedDefragmentAboveBytes);
    }

    /** The lease as etcd counts it; never shorter than what the holder goes by. */
    public long leaseSeconds() {
        return Math.max(1, lease.plusSeconds(1).minusNanos(1).toSeconds());
    }

    /** Everything that makes these settings unsafe or senseless; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        if (endpoints.isEmpty()
                || endpoints.size() > MOST_ENDPOINTS
                || new HashSet<>(endpoints).size() < endpoints.size()) {
            faults.add(new Fault(
                    prefix + "endpoints", endpoints.toString(), "1 to " + MOST_ENDPOINTS + " members, each once"));
        }
        for (String endpoint : endpoints) {
            if (!ADDRESS.matcher(endpoint).matches() || portOf(endpoint) < 1 || portOf(endpoint) > 65535) {
                faults.add(new Fault(prefix + "endpoints", endpoint, "host:port, without http://"));
            }
        }
        if (requestTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            faults.add(
                    new Fault(prefix + "request-timeout", requestTimeout.toString(), SHORTEST_TIMEOUT + " or longer"));
        }
        if (!lease.isPositive()) {
            faults.add(new Fault(prefix + "lease", lease.toString(), "longer than nothing"));
        }
        if (compactAfter.isNegative()) {
            faults.add(new Fault(
                    prefix + "compact-after", compactAfter.toString(), "a time, or 0 to leave that to others"));
        }
        if (defragmentAboveBytes < 0) {
            faults.add(new Fault(
                    prefix + "defragment-above", defragmentAboveBytes + "", "a number of bytes, or 0 for never"));
        }
        login.ifPresent(who -> {
            if (who.user().isBlank()) {
                faults.add(new Fault(prefix + "user", "\"" + who.user() + "\"", "a name, or no such key"));
            }
            if (who.password().isEmpty()) {
                faults.add(new Fault(prefix + "password", "empty", "a password, or no such key"));
            }
        });
        tls.ifPresent(files -> files.named().forEach((name, path) -> {
            if (!Files.isReadable(path)) {
                faults.add(new Fault(prefix + "tls." + name, path.toString(), "a readable file"));
            }
        }));
        return List.copyOf(faults);
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
