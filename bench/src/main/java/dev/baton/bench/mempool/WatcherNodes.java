package dev.baton.bench.mempool;

import dev.baton.bench.tokens.Children;
import dev.baton.bench.tokens.JavaProgram;
import dev.baton.bench.tokens.RedisServer;
import dev.baton.duty.mempool.MempoolLimits;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Two nodes that share a pool, as processes; the watcher's seat is on Redis servers of its own. */
final class WatcherNodes {

    static final int NODES = 2;

    private static final Pattern EPOCH = Pattern.compile("\"epoch\":(\\d+)");
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration SHORT_ANSWER = Duration.ofMillis(500);
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1");

    private final Children children;
    private final RedisServer pool;
    private final List<Path> configs = new ArrayList<>();
    private final List<Integer> httpPorts = new ArrayList<>();
    private final Process[] processes = new Process[NODES];
    private final HttpClient http = HttpClient.newHttpClient();

    private WatcherNodes(Children children, RedisServer pool) {
        this.children = children;
        this.pool = pool;
    }

    /** Blocks until both are ready. */
    static WatcherNodes start(Children children, Path chain, MempoolLimits limits)
            throws IOException, InterruptedException {
        WatcherNodes nodes = new WatcherNodes(children, RedisServer.start(children, "pool"));
        List<RedisServer> seats = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            seats.add(RedisServer.start(children, "seat-" + i));
        }
        nodes.pool.await(children);
        for (RedisServer each : seats) {
            each.await(children);
        }
        nodes.configure(seats, chain, limits);
        for (int node = 0; node < NODES; node++) {
            nodes.launch(node);
        }
        for (int node = 0; node < NODES; node++) {
            nodes.awaitReady(node);
        }
        return nodes;
    }

    private void configure(List<RedisServer> seats, Path chain, MempoolLimits limits) throws IOException {
        List<Integer> grpcPorts = children.freePorts(NODES);
        httpPorts.addAll(children.freePorts(NODES));
        List<Integer> adminPorts = children.freePorts(NODES);
        StringBuilder shared = new StringBuilder("authority:\n  kind: redis\n  node-timeout: 300ms\n  nodes:\n");
        seats.forEach(seat -> shared.append("    - \"").append(seat.address()).append("\"\n"));
        shared.append("peers:\n");
        for (int node = 0; node < NODES; node++) {
            shared.append("  ").append(name(node)).append(":\n");
            shared.append("    grpc: ").append(local(grpcPorts.get(node)));
            shared.append("    http: ").append(local(httpPorts.get(node)));
        }
        shared.append("seats:\n  - name: mempool\n    duty: mempool\n");
        shared.append("    pulse: {interval: 100ms, timeout: 500ms}\n    takeover: {delay: 1500ms}\n");
        shared.append("    mempool:\n      url: \"").append(poolUrl()).append("\"\n");
        shared.append("      chain-file: \"").append(chain).append("\"\n");
        shared.append("      finalize-after: ").append(limits.finalizeAfter()).append('\n');
        shared.append("      drop-after: ").append(limits.dropAfter()).append('\n');
        shared.append("      max-finalized: ").append(limits.maxFinalized()).append('\n');
        shared.append("      max-rollback: ").append(limits.maxRollback()).append('\n');
        shared.append("      slice-size: ").append(limits.sliceSize()).append('\n');
        for (int node = 0; node < NODES; node++) {
            Path config = children.folder(name(node)).resolve("node.yaml");
            Files.writeString(
                    config,
                    "cluster: bench\nnode: " + name(node) + "\ndata: .\nlisten:\n"
                            + "  grpc: " + local(grpcPorts.get(node))
                            + "  http: " + local(httpPorts.get(node))
                            + "  admin: " + local(adminPorts.get(node))
                            + shared);
            configs.add(config);
        }
        try {
            RedisSeats.found(ConfigReader.read(configs.getFirst()));
        } catch (NodeFailure | ConfigException e) {
            throw new IllegalStateException("the seat cannot be founded: " + e.getMessage(), e);
        }
    }

    static String name(int node) {
        return "n" + (node + 1);
    }

    private static String local(int port) {
        return "127.0.0.1:" + port + "\n";
    }

    String poolUrl() {
        return "redis://" + pool.address();
    }

    /** Starts a node that does not run; see {@link #awaitReady}. */
    void launch(int node) throws IOException {
        Path config = configs.get(node);
        processes[node] = children.start(
                log(node),
                JavaProgram.ownCommand(JVM, NodeMain.class.getName(), List.of(config.toString())),
                Map.of("CLASSPATH", JavaProgram.ownClassPath()));
    }

    private Path log(int node) {
        return configs.get(node).resolveSibling("log");
    }

    void awaitReady(int node) throws InterruptedException {
        children.await("node " + name(node), processes[node], log(node), () -> get(node, "/ready") == 200);
    }

    /** Ends its process with SIGKILL. */
    void kill(int node) throws InterruptedException {
        processes[node].destroyForcibly().waitFor();
    }

    /** From now on the process stands still, wherever it is. */
    void freeze(int node) throws IOException, InterruptedException {
        signal(node, "-STOP");
    }

    void wake(int node) throws IOException, InterruptedException {
        signal(node, "-CONT");
    }

    private void signal(int node, String signal) throws IOException, InterruptedException {
        String pid = Long.toString(processes[node].pid());
        int code = new ProcessBuilder("kill", signal, pid).start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill " + signal + " " + name(node) + ": " + code + " (expected: 0)");
        }
    }

    /** The epoch in which this node says that it is the watcher; 0 if it does not, or does not answer. */
    long watchesInEpoch(int node) throws InterruptedException {
        try {
            HttpResponse<String> answer = http.send(
                    request(node, "/leader").timeout(SHORT_ANSWER).build(), HttpResponse.BodyHandlers.ofString());
            Matcher epoch = EPOCH.matcher(answer.body());
            return answer.statusCode() == 200 && epoch.find() ? Long.parseLong(epoch.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private int get(int node, String path) throws IOException, InterruptedException {
        return http.send(request(node, path).timeout(SHORT_ANSWER).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** Hands a transaction to a node: 200 if it was taken, 409 if it was there. */
    int submit(int node, byte[] payload) throws IOException, InterruptedException {
        HttpRequest submission = request(node, "/mempool/submit")
                .timeout(ANSWER)
                .POST(HttpRequest.BodyPublishers.ofByteArray(payload))
                .build();
        return http.send(submission, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest.Builder request(int node, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPorts.get(node) + path));
    }

    /** How often this line is in the logs of both. */
    long logged(String line) throws IOException {
        long count = 0;
        for (int node = 0; node < NODES; node++) {
            count += Files.readAllLines(log(node)).stream()
                    .filter(each -> each.contains(line))
                    .count();
        }
        return count;
    }
}
