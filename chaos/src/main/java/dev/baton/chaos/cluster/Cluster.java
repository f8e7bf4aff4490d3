package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.plan.Topology;
import dev.baton.chaos.proxy.Troubles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three nodes, three engine servers where the engine lives outside of them, and what the duty works on; each a process of
 * its own, each port behind a proxy. Thread-safe once started.
 */
public final class Cluster implements AutoCloseable {

    public static final List<String> AUTHORITIES = EngineKinds.names();

    /** The seats' takeover delay. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    private static final long STOP_SECONDS = 15;

    private final Layout layout;
    private final Processes processes = new Processes();
    private final Proxies proxies = new Proxies();
    private final Standings standings;
    private Optional<Supervisor> supervisor = Optional.empty();
    private final Thread atExit = new Thread(processes::end, "kill what is left");

    private Cluster(Layout layout) {
        this.layout = layout;
        this.standings = new Standings(layout);
    }

    /**
     * Starts everything below the folder and returns when a node leads and all of them answer.
     *
     * @param forgetful whether engine servers may lose the last second when they are killed (Redis only)
     */
    public static Cluster start(Path folder, String authority, SeatKind duty, boolean forgetful)
            throws IOException, InterruptedException {
        return start(Layout.of(folder.toAbsolutePath(), authority, duty, forgetful), NodeCommandLine.environment());
    }

    /** The same with nodes that find the files of another folder first. Only tests plant bugs so. */
    public static Cluster startPlanted(Path folder, String authority, SeatKind duty, Path inFront)
            throws IOException, InterruptedException {
        return start(Layout.of(folder.toAbsolutePath(), authority, duty, false), NodeCommandLine.environment(inFront));
    }

    private static Cluster start(Layout layout, Map<String, String> nodeEnvironment)
            throws IOException, InterruptedException {
        Cluster cluster = new Cluster(layout);
        Runtime.getRuntime().addShutdownHook(cluster.atExit);
        try {
            new Launch(layout, nodeEnvironment, cluster.processes, cluster.proxies, cluster.standings).run();
            cluster.supervise();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void supervise() {
        Supervisor started = new Supervisor(Stream.concat(nodes().stream(), layout.companions().stream())
                .map(this::process)
                .toList());
        started.start();
        supervisor = Optional.of(started);
    }

    /** Whoever says that it leads, under the highest epoch if several do. */
    public Optional<String> leader() {
        return standings.leaderAmong(nodes().stream().filter(this::isAlive).toList());
    }

    /** What a node says of itself, asked past its proxies. */
    public NodeSample sample(String node) {
        return standings.of(node);
    }

    /** Whether the node is back after a restart: it leads, or follows as well as any follower can. */
    public boolean isBack(NodeSample sample) {
        return sample.isReady()
                || (!layout.duty().everyFollowerBecomesReady() && sample.follows() && leader().isPresent());
    }

    /** Asks the leader to hand over to that node; what it answered. */
    public NodeHttp.Reply handOff(String leader, String to) throws IOException, InterruptedException {
        return standings.handOff(leader, to);
    }

    public Topology topology() {
        Topology topology = Topology.of(layout.authority(), nodes(), engines());
        topology = layout.resources().isEmpty() ? topology : topology.thatWorksOnServers();
        topology = layout.companions().isEmpty() ? topology : topology.withCompanions(layout.companions());
        return layout.forgetful() ? topology.thatForgets() : topology;
    }

    public List<String> nodes() {
        return layout.nodeNames();
    }

    public List<String> engines() {
        return layout.engineNames();
    }

    /** The process that a node has beside it, if the duty needs one. */
    public Optional<String> companionOf(String node) {
        return layout.companionOf(node);
    }

    /** These, and what each node among them has beside it. */
    public Set<String> withCompanions(List<String> names) {
        return Stream.concat(
                        names.stream(),
                        names.stream().filter(nodes()::contains).flatMap(node -> companionOf(node).stream()))
                .collect(Collectors.toUnmodifiableSet());
    }

    SeatKind duty() {
        return layout.duty();
    }

    /** The seat whose ledger tells what was done. */
    public String ledgerSeat() {
        return layout.duty().ledgerSeat();
    }

    public Troubles troubles() {
        return proxies.troubles();
    }

    /** Where clients reach the node. */
    public String httpForClients(String node) {
        return placesOf(node).http().shownText();
    }

    /** Where clients reach what the duty itself serves, as tokens over gRPC. */
    public String dutyForClients(String node) {
        return placesOf(node).duty().shownText();
    }

    /** The same past its proxy. */
    public String dutyBehind(String node) {
        return placesOf(node).duty().behindText();
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
        return layout.placesOf(node);
    }

    private ChildProcess process(String name) {
        return processes.of(name);
    }

    /** Kills whatever runs, and stops listening. The folder is left to whoever made it. */
    @Override
    public void close() throws IOException {
        supervisor.ifPresent(Supervisor::close);
        processes.end();
        proxies.close();
        Inhabitants.end(layout.folder());
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // We are on our way out already.
        }
    }
}
