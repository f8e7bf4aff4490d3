package dev.baton.node.config;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.postgres.InstalledPostgres;
import dev.baton.duty.postgres.PostgresSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What only a seat with a PostgreSQL has.
 *
 * @param listen where the server listens
 * @param advertise the host under which clients and other nodes reach it; the node's own if absent
 * @param programs the folder with PostgreSQL's programs; the newest in Debian's place if absent
 * @param folder where the server's files are; within the node's data if absent
 * @param user whom the server runs as when the node runs as root
 * @param superuserPassword a file with the password of {@code postgres}
 * @param replicationPassword a file with the password with which standbys connect
 * @param initialise whether this node may make a new database
 * @param preferred the node that gets the primary back once it has been well for {@code preferredAfter}
 */
public record PostgresConfig(
        HostPort listen,
        Optional<String> advertise,
        Optional<Path> programs,
        Optional<Path> folder,
        String user,
        Optional<Path> superuserPassword,
        Optional<Path> replicationPassword,
        boolean initialise,
        Optional<NodeId> preferred,
        Duration preferredAfter,
        PostgresSettings.Mode mode,
        long maxLagBytes,
        Map<String, String> parameters,
        List<String> access,
        PostgresSettings.StopTimeouts stops,
        List<String> hooks) {

    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 5432);

    /** A pulse a second, and time enough to stop a server for sure. */
    public static final SeatTimings TIMINGS = new SeatTimings(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            PulsePolicy.DEFAULT,
            Duration.ofSeconds(3),
            Duration.ofMillis(500),
            new BigDecimal("1.01"),
            Optional.empty());

    /** Long enough not to move the primary to a node that is about to fail again. */
    private static final Duration DEFAULT_PREFERRED_AFTER = Duration.ofSeconds(30);

    public PostgresConfig {
        parameters = Map.copyOf(parameters);
        access = List.copyOf(access);
        hooks = List.copyOf(hooks);
    }

    static PostgresConfig read(Section seat, Function<String, Path> path, SeatTimings timings) {
        PostgresSettings.StopTimeouts stops = PostgresSettings.StopTimeouts.within(timings.stop());
        try (Section postgres = seat.section("postgres");
                Section parameters = postgres.section("parameters");
                Section stop = postgres.section("stop")) {
            return new PostgresConfig(
                    postgres.address("listen", DEFAULT_LISTEN),
                    postgres.optional("advertise", "a host name or address", ConfigReader::host),
                    postgres.optional("programs", "a folder", path),
                    postgres.optional("folder", "a folder", path),
                    postgres.optional("user", "a user of this machine", text -> text)
                            .orElse("postgres"),
                    postgres.optional("superuser-password-file", "a file", path),
                    postgres.optional("replication-password-file", "a file", path),
                    postgres.truth("initialise", true),
                    postgres.optional("preferred", "the name of a node", NodeId::new),
                    postgres.duration("preferred-after", DEFAULT_PREFERRED_AFTER),
                    postgres.optional(
                                    "mode",
                                    "one of asynchronous, synchronous, strict",
                                    text -> PostgresSettings.Mode.valueOf(text.toUpperCase(Locale.ROOT)))
                            .orElse(PostgresSettings.Mode.ASYNCHRONOUS),
                    postgres.whole("max-lag-bytes", 0, Long.MAX_VALUE, PostgresSettings.DEFAULT_MAX_LAG_BYTES),
                    parameters.names(
                            "the name of a parameter",
                            text -> text,
                            (section, key) -> section.optional(key, "a value", text -> text)),
                    postgres.values("access", "a line of pg_hba.conf", text -> text),
                    new PostgresSettings.StopTimeouts(
                            stop.duration("fast", stops.fast()),
                            stop.duration("immediate", stops.immediate()),
                            stop.duration("kill", stops.kill()),
                            stop.duration("hook", stops.hook())),
                    postgres.values("hooks", "a command for the shell", text -> text));
        }
    }

    /** What the duty is told. */
    public PostgresSettings settings(NodeConfig config) {
        boolean root = "root".equals(System.getProperty("user.name"));
        Path home = folder.orElse(config.data().resolve("postgres"))
                .toAbsolutePath()
                .normalize();
        List<String> peers = config.others().keySet().stream()
                .filter(peer -> !config.authority().witness().contains(peer))
                .map(Object::toString)
                .sorted()
                .toList();
        return new PostgresSettings(
                config.node().value(),
                programs.orElseGet(() -> InstalledPostgres.newest().orElse(InstalledPostgres.VERSIONS)),
                home,
                new HostPort(listen.host(), 0).isWildcard() ? "*" : listen.host(),
                listen.port(),
                advertise.orElse(config.advertise()),
                root ? Optional.of(user) : Optional.empty(),
                superuserPassword.orElse(home.resolve("missing")),
                replicationPassword.orElse(home.resolve("missing")),
                peers,
                initialise,
                mode,
                maxLagBytes,
                parameters,
                access,
                stops,
                hooks.stream().map(text -> List.of("sh", "-c", text)).toList());
    }

    List<Fault> faults(String prefix, SeatTimings timings) {
        List<Fault> faults = new ArrayList<>();
        String own = prefix + "postgres.";
        if (superuserPassword.isEmpty()) {
            faults.add(new Fault(own + "superuser-password-file", "missing", "a file with one line"));
        }
        if (replicationPassword.isEmpty()) {
            faults.add(new Fault(own + "replication-password-file", "missing", "a file with one line"));
        }
        if (listen.port() == 0) {
            faults.add(new Fault(own + "listen", listen.toString(), "a port, because others must find the server"));
        }
        Duration longest = stops.fast()
                .plus(stops.immediate())
                .plus(stops.kill())
                .plus(stops.hook().multipliedBy(hooks.size()));
        if (timings.stop().compareTo(longest) < 0) {
            faults.add(new Fault(
                    prefix + "takeover.stop",
                    timings.stop().toString(),
                    longest + " or longer, because that is what stopping the server for sure may take"));
        }
        return faults;
    }

    /** What must be the same on all nodes, because any of them may decide by it next. */
    Map<String, String> agreed() {
        // Two nodes that prefer each other would hand the primary to and fro for ever.
        return Map.of(
                "postgres.mode",
                mode.name().toLowerCase(Locale.ROOT),
                "postgres.preferred",
                preferred.map(NodeId::value).orElse("nobody"));
    }
}
