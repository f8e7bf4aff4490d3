package dev.baton.authority.nats;

import dev.baton.core.timing.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How NATS is reached, and how its streams are kept.
 *
 * @param servers where the servers listen for clients, {@code host:port}
 * @param requestTimeout the longest that any call takes; a third of it is left to one server before the next is asked
 * @param lease how long the stream of a seat must stand still before the seat counts as free
 * @param replicas how many servers keep each stream: 1, 3 or 5
 */
public record NatsSettings(
        List<String> servers,
        Optional<Login> login,
        Optional<TlsFiles> tls,
        Duration requestTimeout,
        Duration lease,
        int replicas) {

    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(12);

    /** An entry of 1 MiB, its facts and the headers fit into it; the default of NATS is 1 MiB. */
    public static final int MESSAGE_BYTES = 2 << 20;

    private static final int MOST_SERVERS = 9;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(50);
    private static final Pattern ADDRESS = Pattern.compile("[^:/\\s,@]+:[0-9]{1,5}|\\[[^]\\s,@/]+]:[0-9]{1,5}");

    public NatsSettings {
        servers = List.copyOf(servers);
    }

    /** The default times, no login, no TLS, and as many replicas as that many servers are good for. */
    public static NatsSettings of(List<String> servers) {
        return new NatsSettings(
                servers,
                Optional.empty(),
                Optional.empty(),
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_LEASE,
                replicasFor(servers.size()));
    }

    /** Three of three or more; one server alone keeps everything itself. */
    public static int replicasFor(int servers) {
        return servers >= 3 ? 3 : 1;
    }

    public NatsSettings with(Login changed) {
        return new NatsSettings(servers, Optional.of(changed), tls, requestTimeout, lease, replicas);
    }

    public NatsSettings with(TlsFiles changed) {
        return new NatsSettings(servers, login, Optional.of(changed), requestTimeout, lease, replicas);
    }

    public NatsSettings withRequestTimeout(Duration changed) {
        return new NatsSettings(servers, login, tls, changed, lease, replicas);
    }

    public NatsSettings withLease(Duration changed) {
        return new NatsSettings(servers, login, tls, requestTimeout, changed, replicas);
    }

    public NatsSettings withReplicas(int changed) {
        return new NatsSettings(servers, login, tls, requestTimeout, lease, changed);
    }

    /** Everything that makes these settings unsafe or senseless; an empty list allows a start. */
    public List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>();
        if (servers.isEmpty() || servers.size() > MOST_SERVERS || new HashSet<>(servers).size() < servers.size()) {
            faults.add(
                    new Fault(prefix + "servers", servers.toString(), "1 to " + MOST_SERVERS + " servers, each once"));
        }
        for (String server : servers) {
            if (!ADDRESS.matcher(server).matches() || portOf(server) < 1 || portOf(server) > 65535) {
                faults.add(new Fault(prefix + "servers", server, "host:port, without nats://"));
            }
        }
        if (requestTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            faults.add(
                    new Fault(prefix + "request-timeout", requestTimeout.toString(), SHORTEST_TIMEOUT + " or longer"));
        }
        if (!lease.isPositive()) {
            faults.add(new Fault(prefix + "lease", lease.toString(), "longer than nothing"));
        }
        if (replicas != 1 && replicas != 3 && replicas != 5) {
            faults.add(new Fault(prefix + "replicas", replicas + "", "1, 3 or 5"));
        }
        login.ifPresent(who -> addFaults(prefix, who, faults));
        tls.ifPresent(files -> files.named().forEach((name, path) -> {
            if (!Files.isReadable(path)) {
                faults.add(new Fault(prefix + "tls." + name, path.toString(), "a readable file"));
            }
        }));
        return List.copyOf(faults);
    }

    private static void addFaults(String prefix, Login login, List<Fault> faults) {
        switch (login) {
            case Login.ByPassword(String user, String password) -> {
                if (user.isBlank()) {
                    faults.add(new Fault(prefix + "user", "\"" + user + "\"", "a name, or no such key"));
                }
                if (password.isEmpty()) {
                    faults.add(new Fault(prefix + "password", "empty", "a password, or no such key"));
                }
            }
            case Login.ByCredentials(Path file) -> {
                if (!Files.isReadable(file)) {
                    faults.add(new Fault(
                            prefix + "credentials-file", file.toString(), "a readable file, as nsc writes it"));
                }
            }
        }
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
