package dev.baton.bench.tokens;

import dev.baton.node.NodeFailure;
import dev.baton.node.NodeMain;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three nodes that serve tokens, as processes, on an authority that is as durable as it can be. */
final class TokenNodes {

    private static final int NODES = 3;
    private static final String SEAT = "tokens";

    /** The optimizing compiler and a heap for a service that is busy; {@code baton up} is more modest. */
    private static final List<String> JVM =
            List.of("-Xms256m", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "-XX:MaxDirectMemorySize=128m");

    private final Children children;
    private final Path folder;
    private final String authority;
    private final List<Ports> ports = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final List<Path> engineFolders = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private record Ports(int grpc, int http, int raft, int admin, int tokens) {}

    private TokenNodes(Children children, String authority, Path folder) {
        this.children = children;
        this.authority = authority;
        this.folder = folder;
        for (int i = 0; i < NODES; i++) {
            List<Integer> five = children.freePorts(5);
            ports.add(new Ports(five.get(0), five.get(1), five.get(2), five.get(3), five.get(4)));
        }
    }

    /** Starts the authority's servers, if it has any, and the nodes; see {@link #await}. */
    static TokenNodes start(Children children, String authority) throws IOException, InterruptedException {
        TokenNodes nodes = new TokenNodes(children, authority, children.folder(SEAT));
        String engine = nodes.engine();
        List<Path> configs = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Path config = children.folder(SEAT + "/n" + (i + 1)).resolve("node.yaml");
            Files.writeString(config, nodes.yaml(i, engine));
            configs.add(config);
        }
        nodes.found(configs.getFirst());
        for (Path config : configs) {
            nodes.processes.add(children.start(
                    config.resolveSibling("log"),
                    JavaProgram.ownCommand(JVM, NodeMain.class.getName(), List.of(config.toString())),
                    Map.of("CLASSPATH", JavaProgram.ownClassPath())));
        }
        return nodes;
    }

    private String engine() throws IOException, InterruptedException {
        StringBuilder yaml =
                new StringBuilder("authority:\n  kind: ").append(authority).append('\n');
        switch (authority) {
            case "redis" -> {
                yaml.append("  node-timeout: 300ms\n  nodes:\n");
                List<RedisServer> servers = new ArrayList<>();
                for (int i = 0; i < NODES; i++) {
                    servers.add(RedisServer.start(children, "redis-of-nodes-" + i));
                }
                for (RedisServer server : servers) {
                    server.await(children);
                    engineFolders.add(server.folder());
                    yaml.append("    - \"").append(server.address()).append("\"\n");
                }
            }
            case "etcd" -> {
                EtcdServers servers =
                        EtcdServers.start(children, "etcd-of-nodes").await(children);
                engineFolders.add(servers.folder());
                yaml.append("  endpoints:\n");
                servers.ports().forEach(port -> yaml.append("    - ").append(local(port)));
            }
            case "nats" -> {
                NatsServers servers =
                        NatsServers.start(children, "nats-of-nodes").await(children);
                engineFolders.add(servers.folder());
                yaml.append("  servers:\n");
                servers.ports().forEach(port -> yaml.append("    - ").append(local(port)));
            }
            default -> {
                engineFolders.add(folder);
                yaml.append("  start: bootstrap\n  peers:\n");
                for (int i = 0; i < NODES; i++) {
                    yaml.append("    ")
                            .append(name(i))
                            .append(": ")
                            .append(local(ports.get(i).raft()));
                }
            }
        }
        return yaml.toString();
    }

    private String yaml(int self, String engine) {
        Ports own = ports.get(self);
        StringBuilder yaml = new StringBuilder();
        yaml.append("cluster: bench\nnode: ").append(name(self)).append("\ndata: .\nlisten:\n");
        yaml.append("  grpc: ").append(local(own.grpc()));
        yaml.append("  http: ").append(local(own.http()));
        yaml.append("  raft: ").append(local(own.raft()));
        yaml.append("  admin: ").append(local(own.admin()));
        yaml.append(engine);
        yaml.append("peers:\n");
        for (int i = 0; i < NODES; i++) {
            yaml.append("  ").append(name(i)).append(":\n");
            yaml.append("    grpc: ").append(local(ports.get(i).grpc()));
            yaml.append("    http: ").append(local(ports.get(i).http()));
        }
        yaml.append("seats:\n  - name: ")
                .append(SEAT)
                .append("\n    duty: tokens\n    pulse:\n      interval: 500ms\n");
        yaml.append("    tokens:\n      listen: ").append(local(own.tokens()));
        return yaml.toString();
    }

    private static String name(int index) {
        return "n" + (index + 1);
    }

    private static String local(int port) {
        return "127.0.0.1:" + port + "\n";
    }

    /** Redis nodes must be told once that a seat begins on them. */
    private void found(Path config) {
        if (authority.equals("redis")) {
            try {
                RedisSeats.found(ConfigReader.read(config));
            } catch (NodeFailure | ConfigException e) {
                throw new IllegalStateException("the seat cannot be founded: " + e.getMessage(), e);
            }
        }
    }

    /** Waits until every node says that it is ready. */
    TokenNodes await() throws InterruptedException {
        for (int i = 0; i < NODES; i++) {
            int node = i;
            Path log = folder.resolve(name(i)).resolve("log");
            children.await(
                    "node " + name(i),
                    processes.get(i),
                    log,
                    () -> page(node, "/ready").statusCode() == 200);
        }
        return this;
    }

    private HttpResponse<String> page(int node, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.get(node).http() + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** How long this cluster's commits took until now, by the account of whoever made them. */
    CommitTimes commitTimes() throws IOException, InterruptedException {
        CommitTimes all = CommitTimes.NONE;
        for (int i = 0; i < NODES; i++) {
            all = all.plus(CommitTimes.read(page(i, "/metrics").body(), SEAT));
        }
        return all;
    }

    /** What has happened when a token is answered. */
    String durability() {
        return switch (authority) {
            case "redis" -> "3 nodes, appendfsync always: synced on two of them before the answer";
            case "nats" -> "3 replicas, written by a majority before the answer, synced later";
            default -> "3 members, log synced on a majority before the answer";
        };
    }

    /** Where tokens are asked for. */
    List<String> addresses() {
        return ports.stream().map(port -> "127.0.0.1:" + port.tokens()).toList();
    }

    List<Long> pids() {
        return processes.stream().map(Process::pid).toList();
    }

    /** Where the engine keeps what it keeps. */
    List<Path> engineFolders() {
        return List.copyOf(engineFolders);
    }
}
