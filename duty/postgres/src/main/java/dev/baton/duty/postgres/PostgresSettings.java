package dev.baton.duty.postgres;

import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.process.Ladder;
import dev.baton.process.Rung;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node runs its PostgreSQL.
 *
 * @param node this node's name; its standby is known to the primary by it
 * @param programs the folder with postgres, initdb and the others
 * @param folder what belongs to this server, this node's alone: {@code data}, sockets, logs, password files
 * @param listen the address on which the server listens
 * @param advertise the host under which others reach it
 * @param user the user of the machine that the server runs as, if it is another than this process's
 * @param superuserPassword the file with the password of {@code postgres}
 * @param replicationPassword the file with the password of {@code baton_replication}
 * @param peers the names of the other nodes
 * @param initialise whether this node may make a new database if there is none yet; false where another node brings one
 * @param maxLagBytes how far behind the last known position a standby may be and still take over
 * @param parameters further settings of the server
 * @param access lines of pg_hba.conf; everybody with a password if there are none
 * @param hooks what to try when killing the server does not help
 */
public record PostgresSettings(
        String node,
        Path programs,
        Path folder,
        String listen,
        int port,
        String advertise,
        Optional<String> user,
        Path superuserPassword,
        Path replicationPassword,
        List<String> peers,
        boolean initialise,
        Mode mode,
        long maxLagBytes,
        Map<String, String> parameters,
        List<String> access,
        StopTimeouts stops,
        List<List<String>> hooks) {

    /** When a client is told that its commit is durable. */
    public enum Mode {
        /** As soon as the primary has it; the last moments may be lost with the primary. */
        ASYNCHRONOUS,
        /** When a standby has it, too; without a standby the primary goes on alone, and nobody else may take over. */
        SYNCHRONOUS,
        /** Only when a standby has it, too; without a standby, commits wait. */
        STRICT
    }

    /** How long to wait for each way of stopping the server. */
    public record StopTimeouts(Duration fast, Duration immediate, Duration kill, Duration hook) {
        public static final StopTimeouts DEFAULT = new StopTimeouts(
                Duration.ofMillis(1500), Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(5));

        /** Less than this leaves a healthy server no time to end in order. */
        private static final Duration SHORTEST = Duration.ofMillis(1500);

        /** The defaults, in the same proportions, where less time than usual is given to stopping the server. */
        public static StopTimeouts within(Duration stop) {
            Duration usual = DEFAULT.fast().plus(DEFAULT.immediate()).plus(DEFAULT.kill());
            if (stop.compareTo(usual) >= 0) {
                return DEFAULT;
            }
            Duration given = stop.compareTo(SHORTEST) < 0 ? SHORTEST : stop;
            return new StopTimeouts(given.dividedBy(2), given.dividedBy(6), given.dividedBy(3), DEFAULT.hook());
        }
    }

    /** What Patroni users are used to. */
    public static final long DEFAULT_MAX_LAG_BYTES = 1 << 20;

    public PostgresSettings {
        peers = List.copyOf(peers);
        parameters = Map.copyOf(parameters);
        access = List.copyOf(access);
        hooks = List.copyOf(hooks);
    }

    public Path data() {
        return folder.resolve("data");
    }

    public String address() {
        return advertise + ":" + port;
    }

    /** From the shutdown that ends sessions in order to the user's last hook. */
    public Ladder ladder() {
        List<Rung> rungs = new ArrayList<>(List.of(
                new Rung.Signal("fast shutdown", "INT", stops.fast()),
                new Rung.Signal("immediate shutdown", "QUIT", stops.immediate()),
                new Rung.Kill("kill", stops.kill())));
        for (int i = 0; i < hooks.size(); i++) {
            rungs.add(new Rung.Command("hook " + (i + 1), hooks.get(i), stops.hook()));
        }
        return new Ladder(rungs);
    }

    public List<Fault> faults(String prefix, SeatTimings timings) {
        Duration longest = ladder().longest();
        return timings.stop().compareTo(longest) >= 0
                ? List.of()
                : List.of(new Fault(
                        prefix + "stop",
                        timings.stop().toString(),
                        longest + " or longer, because that is what stopping the server for sure may take"));
    }

    /** A replication slot's name, which knows no dashes. */
    static String slot(String node) {
        return node.replace('-', '_');
    }
}
