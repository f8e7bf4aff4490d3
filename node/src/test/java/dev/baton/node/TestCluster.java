package dev.baton.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.signing.Ed25519;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Nodes of this process, over one engine in memory or over Raft, and what a test asks them. */
final class TestCluster implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final List<String> names;
    private final boolean raft;
    private final Map<String, Integer> grpcPorts = new LinkedHashMap<>();
    private final Map<String, Integer> raftPorts = new LinkedHashMap<>();
    private final Map<String, String> keys = new LinkedHashMap<>();
    private final Map<String, Node> running = new ConcurrentHashMap<>();
    private final Map<String, MemoryAuthority> connections = new ConcurrentHashMap<>();
    private final MemoryEngine engine;

    private TestCluster(Path folder, boolean raft, Duration lease, String... names) throws IOException {
        this.folder = folder;
        this.raft = raft;
        this.names = List.of(names);
        this.engine = new MemoryEngine(lease);
        List<Integer> ports = freePorts(2 * names.length);
        for (int i = 0; i < names.length; i++) {
            grpcPorts.put(names[i], ports.get(2 * i));
            raftPorts.put(names[i], ports.get(2 * i + 1));
            LocalEd25519Signer signer = LocalEd25519Signer.loadOrCreate(
                    new NodeId(names[i]), Era.FIRST, ServedSequencer.keyFile(data(names[i])));
            keys.put(names[i], Ed25519.toText(signer.publicKey()));
        }
    }

    /** Nodes that share an engine in memory. */
    static TestCluster inMemory(Path folder, String... names) throws IOException {
        return new TestCluster(folder, false, Duration.ofMillis(1500), names);
    }

    /** Nodes that share an engine in memory which waits so long for a silent holder. */
    static TestCluster inMemory(Path folder, Duration lease, String... names) throws IOException {
        return new TestCluster(folder, false, lease, names);
    }

    static TestCluster onRaft(Path folder, String... names) throws IOException {
        return new TestCluster(folder, true, Duration.ofMillis(1500), names);
    }

    static List<Integer> freePorts(int count) {
        return IntStream.range(0, count).mapToObj(i -> LoopbackPorts.next()).toList();
    }

    Path data(String name) {
        return folder.resolve(name);
    }

    String yaml(String name) {
        StringBuilder text = new StringBuilder();
        text.append("cluster: demo\nnode: ")
                .append(name)
                .append("\ndata: ")
                .append(data(name))
                .append('\n');
        text.append("listen: {grpc: \"127.0.0.1:").append(grpcPorts.get(name));
        text.append("\", http: \"127.0.0.1:0\", admin: \"127.0.0.1:0\"}\n");
        text.append("authority:\n  kind: ").append(raft ? "raft" : "memory").append('\n');
        if (raft) {
            // Slow, so that a busy machine does not elect where a test does not expect it.
            text.append(
                    "  start: bootstrap\n  election-timeout-min: 700ms\n  election-timeout-max: 1200ms\n  peers:\n");
            raftPorts.forEach((node, port) -> text.append("    " + node + ": \"127.0.0.1:" + port + "\"\n"));
        }
        text.append("seats:\n  - name: blocks\n    duty: sequencer\n");
        text.append("    pulse: {interval: 100ms, timeout: 500ms}\n");
        text.append("    sequencer:\n      signers:\n");
        keys.forEach((node, key) -> text.append("        " + node + ": \"" + key + "\"\n"));
        text.append("peers:\n");
        grpcPorts.forEach((node, port) -> text.append("  " + node + ": {grpc: \"127.0.0.1:" + port + "\"}\n"));
        return text.toString();
    }

    NodeConfig config(String name, UnaryOperator<String> change) {
        try {
            return ConfigReader.read(name, change.apply(yaml(name)), folder);
        } catch (ConfigException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    Node start(String name) throws NodeFailure {
        return start(name, UnaryOperator.identity());
    }

    Node start(String name, UnaryOperator<String> change) throws NodeFailure {
        return start(name, change, InstantSource.system());
    }

    /** Starts a node whose wall clock is another. */
    Node start(String name, UnaryOperator<String> change, InstantSource clock) throws NodeFailure {
        Node node = Node.start(config(name, change), wiring(clock));
        running.put(name, node);
        return node;
    }

    void startAll() throws NodeFailure {
        for (String name : names) {
            start(name);
        }
    }

    private Wiring wiring(InstantSource clock) {
        Authorities.Source source = raft
                ? Authorities::open
                : (config, dataFolder) -> {
                    MemoryAuthority connection = engine.connect(config.node());
                    connections.put(config.node().value(), connection);
                    return Engine.of(new TickingAuthority(connection, engine::tick));
                };
        return new Wiring(source, Duties::make, clock, why -> {
            throw new AssertionError("halted: " + why);
        });
    }

    /** A connection to the shared engine for somebody who is not one of the running nodes. */
    MemoryAuthority connect(String name) {
        return engine.connect(new NodeId(name));
    }

    String grpcAddress(String name) {
        return "127.0.0.1:" + grpcPorts.get(name);
    }

    MemoryAuthority connection(String name) {
        return Objects.requireNonNull(connections.get(name));
    }

    Node node(String name) {
        return Objects.requireNonNull(running.get(name), name);
    }

    void stop(String name) {
        node(name).close();
        running.remove(name);
    }

    /** The one node that leads, or null. */
    @Nullable
    String leader() {
        List<String> leaders = running.entrySet().stream()
                .filter(entry -> entry.getValue().seats().getFirst().status().leads())
                .map(Map.Entry::getKey)
                .toList();
        return leaders.size() == 1 ? leaders.getFirst() : null;
    }

    static HttpResponse<String> ask(String method, String address, String path, String body) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://" + address + path))
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .timeout(Duration.ofSeconds(20))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> get(String name, String path) {
        return ask("GET", node(name).ownHttpAddress(), path, "");
    }

    /** As some load balancers ask. */
    HttpResponse<String> options(String name, String path) {
        return ask("OPTIONS", node(name).ownHttpAddress(), path, "");
    }

    HttpResponse<String> post(String name, String path, String body) {
        return ask("POST", node(name).ownHttpAddress(), path, body);
    }

    HttpResponse<String> admin(String name, String path) {
        return ask("POST", node(name).adminAddress(), path, "");
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    @Override
    public void close() {
        running.values().forEach(Node::close);
    }
}
