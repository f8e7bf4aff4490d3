package dev.baton.authority.nats.testing;

import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.LoopbackPorts;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ClusterInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A few real NATS servers on free loopback ports, one cluster if there are several, each with a folder of its own. */
public final class NatsServers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<NatsServer> servers = new ArrayList<>();

    private NatsServers() {}

    /** How the servers are to run. Immutable. */
    public record Setup(int count, Path dir, boolean jetStream, String more) {

        /** Lines for the configuration of each server, such as {@code authorization { … }}. */
        public Setup with(String lines) {
            return new Setup(count, dir, jetStream, more + lines + "\n");
        }

        public Setup withoutJetStream() {
            return new Setup(count, dir, false, more);
        }

        /** Clients must speak TLS and show a certificate of the same authority. */
        public Setup tls(Certificates files) {
            return with("tls { cert_file: \"" + files.certificate() + "\", key_file: \"" + files.key()
                    + "\", ca_file: \"" + files.authority() + "\", verify: true }");
        }

        /** Starts them, and waits until they listen; a meta leader may still be missing. */
        public NatsServers launch() {
            return NatsServers.launch(this);
        }

        /** Starts them, and waits until JetStream works; for servers that ask nobody for a login. */
        public NatsServers start() {
            NatsServers all = launch();
            try {
                all.awaitJetStream();
            } catch (RuntimeException e) {
                all.close();
                throw e;
            }
            return all;
        }
    }

    /** With messages of 2 MiB, as Baton needs them. */
    public static Setup of(int count, Path dir) {
        return new Setup(count, dir, true, "").with("max_payload: 2MB");
    }

    /** As nats-server comes, with messages of 1 MiB. */
    public static Setup plain(Path dir) {
        return new Setup(1, dir, true, "");
    }

    public static NatsServers start(int count, Path dir) {
        return of(count, dir).start();
    }

    private static NatsServers launch(Setup setup) {
        NatsServers all = new NatsServers();
        List<Integer> routes = new ArrayList<>();
        for (int i = 0; i < setup.count(); i++) {
            routes.add(LoopbackPorts.next());
        }
        for (int i = 0; i < setup.count(); i++) {
            Path dir = setup.dir().resolve("nats-" + (i + 1));
            int port = LoopbackPorts.next();
            all.servers.add(new NatsServer(dir, port, configuration(setup, i, dir, port, routes)));
        }
        try {
            all.servers.forEach(NatsServer::start);
            all.servers.forEach(NatsServer::awaitListening);
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        return all;
    }

    private static String configuration(Setup setup, int index, Path dir, int port, List<Integer> routes) {
        StringBuilder text = new StringBuilder();
        text.append("server_name: s")
                .append(index + 1)
                .append("\nlisten: 127.0.0.1:")
                .append(port)
                .append('\n');
        if (setup.jetStream()) {
            text.append("jetstream { store_dir: \"").append(dir.resolve("data")).append("\" }\n");
        }
        if (setup.count() > 1) {
            text.append("cluster { name: c, listen: \"127.0.0.1:")
                    .append(routes.get(index))
                    .append("\", routes: [");
            text.append(routes.stream()
                    .map(route -> "\"nats://127.0.0.1:" + route + "\"")
                    .collect(Collectors.joining(",")));
            text.append("] }\n");
        }
        return text.append(setup.more()).toString();
    }

    /** The servers count from 0. */
    public NatsServer get(int index) {
        return servers.get(index);
    }

    public List<NatsServer> all() {
        return List.copyOf(servers);
    }

    public List<String> addresses() {
        return servers.stream().map(NatsServer::address).toList();
    }

    /** Ends all servers as {@code kill -9} does, and starts them again on their data. */
    public void restart() {
        servers.forEach(NatsServer::kill);
        servers.forEach(NatsServer::start);
        servers.forEach(NatsServer::awaitListening);
        awaitJetStream();
    }

    /** Returns when JetStream answers: with several servers, that takes a meta leader. */
    public void awaitJetStream() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("no JetStream within " + PATIENCE + ": "
                        + servers.stream().map(NatsServer::log).collect(Collectors.joining("\n")));
            }
        }
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            connection.jetStreamManagement().getAccountStatistics();
            return true;
        } catch (IOException | JetStreamApiException | InterruptedException e) {
            return false;
        }
    }

    /** A client of its own, to look into streams and to disturb them. */
    public Connection connect() throws IOException, InterruptedException {
        return Nats.connect(new Options.Builder()
                .servers(addresses().stream().map("nats://"::concat).toArray(String[]::new))
                .connectionTimeout(Duration.ofSeconds(2))
                .build());
    }

    /** The names of all streams. */
    public List<String> streams() throws Exception {
        try (Connection connection = connect()) {
            return connection.jetStreamManagement().getStreamNames();
        }
    }

    /** Returns when the stream has a leader, and all its replicas have caught up: before that, no other may be lost. */
    public void awaitWhole(String stream) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isWhole(stream)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(stream + " is not whole within " + PATIENCE);
            }
        }
    }

    private boolean isWhole(String stream) {
        try (Connection connection = connect()) {
            ClusterInfo cluster =
                    connection.jetStreamManagement().getStreamInfo(stream).getClusterInfo();
            return cluster != null
                    && cluster.getLeader() != null
                    && cluster.getReplicas() != null
                    && cluster.getReplicas().size() == servers.size() - 1
                    && cluster.getReplicas().stream()
                            .allMatch(replica -> replica.isCurrent() && !replica.isOffline() && replica.getLag() == 0);
        } catch (IOException | JetStreamApiException | InterruptedException e) {
            return false;
        }
    }

    /** The server that leads a stream. */
    public NatsServer leaderOf(String stream) throws Exception {
        try (Connection connection = connect()) {
            ClusterInfo cluster = Objects.requireNonNull(
                    connection.jetStreamManagement().getStreamInfo(stream).getClusterInfo());
            String name = Objects.requireNonNull(cluster.getLeader(), "no server leads " + stream);
            return servers.get(Integer.parseInt(name.substring(1)) - 1);
        }
    }

    @Override
    public void close() {
        servers.forEach(NatsServer::close);
    }
}
