package dev.baton.bench.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.duty.postgres.InstalledPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Machines with Patroni each, on an etcd of one member that stands apart and is never hurt. They talk to it in its older way:
 * in the newer one Patroni before 3.1 does not notice that what it remembers of etcd is old (its issue 2779), and a machine
 * that was unplugged once leaves it without a synchronous standby for good.
 */
final class PatroniMachines extends Machines {

    /** How patient Patroni is. */
    enum Pace {
        DEFAULTS(30, 10, 10),
        /** The shortest that it takes. */
        FASTEST(20, 1, 3);

        private final int ttl;
        private final int loopWait;
        private final int retryTimeout;

        Pace(int ttl, int loopWait, int retryTimeout) {
            this.ttl = ttl;
            this.loopWait = loopWait;
            this.retryTimeout = retryTimeout;
        }
    }

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String USER = "postgres";

    private final Process etcd;
    private final int etcdPort;
    private final Pace pace;

    PatroniMachines(Path folder, String mode, Pace pace) throws IOException {
        super(folder, PATIENCE);
        this.pace = pace;
        Set<Integer> taken = new HashSet<>();
        all().forEach(machine -> taken.addAll(List.of(machine.http(), machine.postgres())));
        Places apart = Places.free("etcd", taken);
        this.etcdPort = apart.http();
        cables.lay(apart.name(), List.of(etcdPort), apart.postgres(), callers);
        this.etcd = startEtcd(apart);
        for (Places machine : all()) {
            cables.lay(machine.name(), List.of(machine.http()), machine.postgres(), callers);
            Path home = Files.createDirectories(folder.resolve(machine.name()));
            Files.writeString(config(machine.name()), yaml(machine, mode));
            Files.setAttribute(
                    home,
                    "unix:owner",
                    home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
            Files.setPosixFilePermissions(config(machine.name()), PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    /** Whether the program is there. */
    static boolean isInstalled() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "patroni")));
    }

    private Process startEtcd(Places apart) throws IOException {
        String peers = "http://127.0.0.1:" + apart.raft();
        return new ProcessBuilder(
                        "etcd",
                        "--name",
                        "etcd",
                        "--data-dir",
                        folder.resolve("etcd").toString(),
                        "--listen-client-urls",
                        "http://" + Places.BEHIND + ":" + etcdPort,
                        "--advertise-client-urls",
                        "http://" + Places.SHOWN + ":" + etcdPort, // clients go where etcd says that it is
                        "--listen-peer-urls",
                        peers,
                        "--initial-advertise-peer-urls",
                        peers,
                        "--initial-cluster",
                        "etcd=" + peers,
                        "--enable-v2=true",
                        "--log-level",
                        "error")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("etcd.log").toFile())
                .start();
    }

    private Path config(String name) {
        return folder.resolve(name + ".yaml");
    }

    @Override
    Path data(String name) {
        return folder.resolve(name).resolve("data");
    }

    private String yaml(Places self, String mode) throws IOException {
        return """
                scope: bench
                name: %1$s
                restapi: {listen: "%2$s:%4$d", connect_address: "%3$s:%4$d"}
                etcd: {host: "%3$s:%5$d"}
                bootstrap:
                  dcs:
                    ttl: %6$d
                    loop_wait: %7$d
                    retry_timeout: %8$d
                    synchronous_mode: %9$s
                    synchronous_mode_strict: %10$s
                    postgresql:
                      use_pg_rewind: true
                      use_slots: true
                      parameters: {shared_buffers: 32MB, max_connections: 60, wal_log_hints: "on"}
                  initdb: [{encoding: UTF8}]
                postgresql:
                  listen: "%2$s:%11$d"
                  connect_address: "%3$s:%11$d"
                  data_dir: "%12$s"
                  bin_dir: "%13$s"
                  pgpass: "%14$s"
                  pg_hba: ["local all all trust", "host replication all 127.0.0.0/8 md5", "host all all 127.0.0.0/8 md5"]
                  authentication:
                    superuser: {username: postgres, password: %15$s}
                    replication: {username: replicator, password: %15$s}
                  parameters: {unix_socket_directories: "%16$s"}
                """.formatted(
                        self.name(),
                        Places.BEHIND,
                        Places.SHOWN,
                        self.http(),
                        etcdPort,
                        pace.ttl,
                        pace.loopWait,
                        pace.retryTimeout,
                        !mode.equals("asynchronous"),
                        mode.equals("strict"),
                        self.postgres(),
                        data(self.name()),
                        InstalledPostgres.required(),
                        folder.resolve(self.name()).resolve("pgpass"),
                        PASSWORD,
                        folder.resolve(self.name()));
    }

    @Override
    Process launch(String name) throws IOException {
        return new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + USER,
                        "--regid=" + USER,
                        "--init-groups",
                        "patroni",
                        config(name).toString())
                .directory(folder.resolve(name).toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
    }

    @Override
    boolean warmsUp() {
        return false;
    }

    @Override
    void switchOver(String from, String to) throws IOException, InterruptedException {
        demand(at(from).http(), "/switchover", "{\"leader\":\"" + from + "\",\"candidate\":\"" + to + "\"}");
    }

    @Override
    Optional<String> primaryIfCalm() throws InterruptedException {
        String agreed = "";
        for (String name : NAMES) {
            Optional<String> leader = ask(name, "/cluster").flatMap(PatroniMachines::leaderIfCalm);
            if (leader.isEmpty() || !(agreed.isEmpty() || agreed.equals(leader.get()))) {
                return Optional.empty();
            }
            agreed = leader.get();
        }
        return Optional.of(agreed);
    }

    private static Optional<String> leaderIfCalm(JsonNode cluster) {
        String leader = "";
        int following = 0;
        boolean complete = false;
        for (JsonNode member : cluster.path("members")) {
            String state = member.path("state").asText();
            switch (member.path("role").asText()) {
                case "leader" ->
                    leader = state.equals("running") ? member.path("name").asText() : "";
                case "sync_standby" -> {
                    complete = true;
                    following += follows(member) ? 1 : 0;
                }
                default -> following += follows(member) ? 1 : 0;
            }
        }
        return complete && following == NAMES.size() - 1 && !leader.isEmpty() ? Optional.of(leader) : Optional.empty();
    }

    private static boolean follows(JsonNode member) {
        String state = member.path("state").asText();
        return (state.equals("streaming") || state.equals("running"))
                && member.path("lag").isNumber();
    }

    @Override
    Optional<String> completeStandby(String primary) throws InterruptedException {
        return ask(primary, "/cluster").flatMap(cluster -> {
            for (JsonNode member : cluster.path("members")) {
                if (member.path("role").asText().equals("sync_standby")) {
                    return Optional.of(member.path("name").asText());
                }
            }
            return Optional.empty();
        });
    }

    @Override
    void killAll() {
        super.killAll();
        etcd.destroyForcibly();
    }
}
