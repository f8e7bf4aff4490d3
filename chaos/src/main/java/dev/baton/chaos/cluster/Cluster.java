package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.plan.Topology;
import dev.baton.chaos.proxy.Troubles;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Three nodes, and three engine servers where the engine lives outside of them; each a process of its own, each port
 * behind a proxy. Thread-safe once started.
 */
public final class Cluster implements AutoCloseable {

    public static final List<String> AUTHORITIES = EngineKinds.names();
    public static final List<String> DUTIES = List.of(Layout.SEQUENCER, Layout.TOKENS);

    /** The seats' takeover delay. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration ASK = Duration.ofSeconds(2);
    private static final Duration FOUNDING = Duration.ofMinutes(1);
    private static final long EACH_MILLIS = 100;
    private static final long STOP_SECONDS = 15;
    private static final int LAST_LINES = 3;

    private final Layout layout;
    private final Map<String, String> nodeEnvironment;
    private final NodeHttp http = new NodeHttp();
    private final Map<String, ChildProcess> processes = new LinkedHashMap<>();
    private final Proxies proxies = new Proxies();
    private final Thread atExit = new Thread(this::killAll, "kill what is left");

    private Cluster(Layout layout, Map<String, String> nodeEnvironment) {
        this.layout = layout;
        this.nodeEnvironment = nodeEnvironment;
    }

    /**
     * Starts everything below the folder and returns when a node leads and all of them answer.
     *
     * @param forgetful whether engine servers may lose the last second when they are killed (Redis only)
     */
    public static Cluster start(Path folder, String authority, String duty, boolean forgetful)
            throws IOException, InterruptedException {
        return launched(new Cluster(
                Layout.of(folder.toAbsolutePath(), authority, duty, forgetful), NodeCommandLine.environment()));
    }

    /** The same with nodes that find the files of another folder first. Only tests plant bugs so. */
    public static Cluster startPlanted(Path folder, String authority, String duty, Path inFront)
            throws IOException, InterruptedException {
        return launched(new Cluster(
                Layout.of(folder.toAbsolutePath(), authority, duty, false), NodeCommandLine.environment(inFront)));
    }

    private static Cluster launched(Cluster cluster) throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(cluster.atExit);
        try {
            cluster.launch();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void launch() throws IOException, InterruptedException {
        NodeYaml.writeAll(layout, "bootstrap");
        for (EnginePlaces engine : layout.engines()) {
            List<String> command = prepared(engine);
            processes.put(
                    engine.name(),
                    new ChildProcess(engine.name(), command, Map.of(), layout.logOf(engine.name()), command.getLast()));
        }
        for (NodePlaces node : layout.nodes()) {
            Path config = layout.folderOf(node.name()).resolve(NodeYaml.NAME);
            processes.put(
                    node.name(),
                    new ChildProcess(
                            node.name(),
                            NodeCommandLine.of(config),
                            nodeEnvironment,
                            layout.logOf(node.name()),
                            config.toString()));
        }
        proxies.open(layout, this::pids);
        for (EnginePlaces engine : layout.engines()) {
            process(engine.name()).start();
        }
        found();
        for (NodePlaces node : layout.nodes()) {
            process(node.name()).start();
        }
        awaitCalm(START);
        // From now on a node that finds its folder empty must not begin a cluster of its own.
        NodeYaml.writeAll(layout, "resume");
    }

    private List<String> prepared(EnginePlaces engine) throws IOException {
        Files.createDirectories(layout.dataOf(engine.name()));
        return layout.kind().prepare(layout, engine, layout.folderOf(engine.name()));
    }

    /** A seat on Redis has to be founded once, before any node asks for it. */
    private void found() throws IOException, InterruptedException {
        if (!layout.kind().needsFounding()) {
            return;
        }
        long deadlineNanos = System.nanoTime() + FOUNDING.toNanos();
        while (true) {
            try {
                RedisSeats.found(ConfigReader.read(
                        layout.folderOf(layout.nodeNames().getFirst()).resolve(NodeYaml.NAME)));
                return;
            } catch (NodeFailure e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IOException("the seat cannot be founded: " + e.getMessage(), e);
                }
                Thread.sleep(EACH_MILLIS);
            } catch (ConfigException e) {
                throw new IOException("a node's file is wrong: " + e.getMessage(), e);
            }
        }
    }

    /** Waits until a node leads and every node answers that it takes part. */
    public void awaitCalm(Duration patience) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            List<NodeSample> samples = nodes().stream().map(this::sample).toList();
            if (samples.stream().allMatch(NodeSample::takesPart)
                    && leaderAmong(samples).isPresent()) {
                return;
            }
            for (ChildProcess each : processes.values()) {
                if (!each.isAlive()) {
                    throw new IOException(each.name() + " ended (expected: to run); its last words: "
                            + lastWords(layout.logOf(each.name())));
                }
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException("the cluster is not calm after " + patience.toSeconds() + " s: " + samples
                        + " (expected: every node takes part and one leads; the logs are in " + layout.folder() + ")");
            }
            Thread.sleep(EACH_MILLIS);
        }
    }

    private static String lastWords(Path log) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    private static Optional<String> leaderAmong(List<NodeSample> samples) {
        return samples.stream()
                .filter(NodeSample::leads)
                .max(Comparator.comparingLong(NodeSample::epoch))
                .map(NodeSample::node);
    }

    /** Whoever says that it leads, under the highest epoch if several do. */
    public Optional<String> leader() {
        // All at once: a frozen one keeps whoever asks waiting.
        List<CompletableFuture<NodeSample>> asked = nodes().stream()
                .filter(node -> process(node).isAlive())
                .map(node -> CompletableFuture.supplyAsync(
                        () -> sample(node), task -> Thread.ofVirtual().start(task)))
                .toList();
        return leaderAmong(asked.stream().map(CompletableFuture::join).toList());
    }

    /** What a node says of itself, asked past its proxies. */
    public NodeSample sample(String node) {
        try {
            NodeHttp.Reply reply = http.get(placesOf(node).http().behindText(), "/status", ASK);
            return reply.isOk() ? NodeSample.of(node, reply.body()) : NodeSample.silent(node);
        } catch (IOException e) {
            return NodeSample.silent(node);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NodeSample.silent(node);
        }
    }

    /** Asks the leader to hand over to that node; what it answered. */
    public NodeHttp.Reply handOff(String leader, String to) throws IOException, InterruptedException {
        return http.post(
                placesOf(leader).admin().behindText(), "/handoff?to=" + to, new byte[0], Duration.ofSeconds(15));
    }

    public Topology topology() {
        Topology topology = Topology.of(layout.authority(), nodes(), engines());
        return layout.forgetful() ? topology.thatForgets() : topology;
    }

    public List<String> nodes() {
        return layout.nodeNames();
    }

    public List<String> engines() {
        return layout.engineNames();
    }

    public String seat() {
        return layout.seat();
    }

    public Troubles troubles() {
        return proxies.troubles();
    }

    /** Where clients reach the node. */
    public String httpForClients(String node) {
        return placesOf(node).http().shownText();
    }

    /** Where clients ask the node for tokens over gRPC. */
    public String tokensForClients(String node) {
        return placesOf(node).tokens().shownText();
    }

    /** Where the node answers past its proxy: for readers, whom no fault is to blind. */
    public String httpBehind(String node) {
        return placesOf(node).http().behindText();
    }

    /** Where the engine server answers past its proxy. */
    public String engineBehind(String engine) {
        return layout.engines().stream()
                .filter(each -> each.name().equals(engine))
                .findFirst()
                .orElseThrow()
                .client()
                .behindText();
    }

    public void kill(String name) throws IOException, InterruptedException {
        // First: once its connections close, nobody is to find its port open.
        proxies.refuse(name);
        process(name).kill();
    }

    public void stop(String name) throws IOException, InterruptedException {
        process(name).stop(STOP_SECONDS);
        proxies.refuse(name);
    }

    public void start(String name) throws IOException, InterruptedException {
        proxies.admit(name);
        process(name).start();
    }

    /** Starts it with further variables in its environment, for this time only. */
    public void start(String name, Map<String, String> environment) throws IOException, InterruptedException {
        proxies.admit(name);
        process(name).start(environment);
    }

    /** Whatever the process writes to files fails from now on, until it is killed. */
    public void fillDisk(String name) throws IOException, InterruptedException {
        process(name).fillDisk();
    }

    /** Where an engine server keeps what it was told. */
    public Path dataOf(String engine) {
        return layout.dataOf(engine);
    }

    /** Other nodes find the port of this one closed, although it lives. */
    public void refusePeers(String node) throws IOException, InterruptedException {
        proxies.refuse(node, Link.PEER);
    }

    /** The end of {@link #refusePeers}, unless the node has died meanwhile. */
    public void admitPeers(String node) throws IOException, InterruptedException {
        if (process(node).isAlive()) {
            proxies.admit(node);
        }
    }

    public void freeze(String name) throws IOException, InterruptedException {
        process(name).freeze();
    }

    public void wake(String name) throws IOException, InterruptedException {
        process(name).wake();
    }

    public boolean isAlive(String name) {
        return process(name).isAlive();
    }

    /** Takes away all that a process has stored; it must not run. A node keeps its key and its configuration. */
    public void empty(String name) throws IOException {
        if (process(name).isAlive()) {
            throw new IllegalStateException(name + " runs (expected: killed before its data is taken away)");
        }
        if (layout.engineNames().contains(name)) {
            Path data = layout.dataOf(name);
            FileTrees.delete(data);
            Files.createDirectories(data);
            return;
        }
        try (Stream<Path> kept = Files.list(layout.folderOf(name))) {
            for (Path each : kept.toList()) {
                if (Files.isDirectory(each)) {
                    FileTrees.delete(each);
                } else if (!NodeYaml.SURVIVES_A_LOSS.contains(String.valueOf(each.getFileName()))) {
                    Files.delete(each);
                }
            }
        }
    }

    /** The end of the log of a process, for somebody who wonders why it died. */
    public Path log(String name) {
        return layout.logOf(name);
    }

    private NodePlaces placesOf(String node) {
        return layout.nodes().stream()
                .filter(each -> each.name().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "node: " + node + " (expected: one of " + layout.nodeNames() + ")"));
    }

    private ChildProcess process(String name) {
        ChildProcess process = processes.get(name);
        if (process == null) {
            throw new IllegalArgumentException("process: " + name + " (expected: one of " + processes.keySet() + ")");
        }
        return process;
    }

    private Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        processes.values().forEach(each -> each.pid().ifPresent(pid -> pids.put(each.name(), pid)));
        return pids;
    }

    private void killAll() {
        processes.values().forEach(ChildProcess::retire); // a fault that is being undone would start them again
        for (ChildProcess each : processes.values()) {
            try {
                each.kill();
            } catch (IOException e) {
                System.err.println(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Kills whatever runs, and stops listening. The folder is left to whoever made it. */
    @Override
    public void close() throws IOException {
        killAll();
        proxies.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // We are on our way out already.
        }
    }

    static JsonNode firstSeat(JsonNode status) {
        return status.path("seats").path(0);
    }
}
