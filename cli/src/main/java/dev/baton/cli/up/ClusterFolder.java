package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.ClusterFile.Server;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.cluster.NodeProcess;
import dev.baton.cli.cluster.ServerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder of one {@code up}, which is its alone until closed. */
final class ClusterFolder implements AutoCloseable {

    private static final String LOCK = "up.lock";

    /** Holds the highest block that the last run saw, if it could say so in peace. */
    private static final String SEEN = "seen-height";

    private static final long LEFTOVER_SECONDS = 8;

    private final UpSettings settings;
    private final FolderLock lock;
    private final boolean isNew;
    private final long seenHeight;
    private ClusterFile file;

    private ClusterFolder(UpSettings settings, FolderLock lock, boolean isNew, long seenHeight, ClusterFile file) {
        this.settings = settings;
        this.lock = lock;
        this.isNew = isNew;
        this.seenHeight = seenHeight;
        this.file = file;
    }

    /** Makes the folder, or resumes what an earlier {@code up} left there. */
    static ClusterFolder open(UpSettings settings) throws CliFailure, InterruptedException {
        Path data = settings.data();
        FolderLock lock = null;
        try {
            refuseForeign(data);
            Files.createDirectories(data);
            lock = lock(data);
            Optional<ClusterFile> earlier = ClusterFile.read(data);
            if (earlier.isPresent()) {
                endLeftovers(settings, earlier.get());
            }
            if (settings.fresh() && earlier.isPresent()) {
                delete(data, earlier.get());
                earlier = Optional.empty();
            }
            ClusterFile file = earlier.isPresent() ? resumed(settings, earlier.get()) : created(settings);
            return new ClusterFolder(settings, lock, earlier.isEmpty(), takeSeenHeight(data), file);
        } catch (IOException | UncheckedIOException e) {
            release(lock);
            throw new CliFailure(
                    Exit.DATA_FOLDER, data + " cannot be used: " + e + " (expected: a folder this user may write)", e);
        } catch (CliFailure | InterruptedException e) {
            release(lock);
            throw e;
        }
    }

    /** Taken away as it is read: after a run that cannot say what it saw, an old number would be wrong. */
    private static long takeSeenHeight(Path data) throws IOException {
        Path path = data.resolve(SEEN);
        if (!Files.exists(path)) {
            return 0;
        }
        String text = Files.readString(path).strip();
        Files.delete(path);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private static void refuseForeign(Path data) throws IOException, CliFailure {
        if (!Files.exists(data) || Files.exists(data.resolve(LOCK)) || Files.exists(data.resolve(ClusterFile.NAME))) {
            return;
        }
        try (Stream<Path> content = Files.list(data)) {
            if (content.findAny().isPresent()) {
                throw new CliFailure(
                        Exit.DATA_FOLDER,
                        data + " has files that are not baton's (expected: an empty folder, or one of an earlier up;"
                                + " choose another with --data)");
            }
        }
    }

    private static FolderLock lock(Path data) throws IOException, CliFailure {
        try {
            return FolderLock.take(data, LOCK);
        } catch (FolderLock.InUse e) {
            throw new CliFailure(
                    Exit.DATA_FOLDER,
                    data + " is in use by another up, process " + e.pid()
                            + " (expected: one up per folder; stop that one, or choose another folder with --data)");
        }
    }

    /** Processes end with their {@code up}; one that was just killed may have left some that are about to. */
    private static void endLeftovers(UpSettings settings, ClusterFile earlier) throws InterruptedException {
        for (Member member : earlier.nodes()) {
            endLeftover(NodeProcess.find(member.pid(), settings.config(member.node())));
        }
        if (earlier.servers().isPresent()) {
            ServerKind kind = earlier.servers().get().kind();
            for (Server server : ownServers(earlier)) {
                endLeftover(NodeProcess.findServer(server.pid(), kind, kind.config(settings.data(), server.name())));
            }
        }
    }

    private static void endLeftover(Optional<ProcessHandle> left) throws InterruptedException {
        if (left.isEmpty()) {
            return;
        }
        try {
            left.get().onExit().get(LEFTOVER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            left.get().destroyForcibly();
        }
    }

    private static List<Server> ownServers(ClusterFile file) {
        return file.servers().map(Servers::own).orElse(List.of());
    }

    private static void delete(Path data, ClusterFile earlier) throws IOException {
        for (Member member : earlier.nodes()) {
            deleteTree(data.resolve(member.node()));
        }
        for (Server server : ownServers(earlier)) {
            deleteTree(data.resolve(server.name()));
        }
        deleteTree(data.resolve(UpSettings.AVAILABILITY));
        deleteTree(data.resolve(UpSettings.MEMPOOL));
        Files.delete(data.resolve(ClusterFile.NAME));
    }

    private static void deleteTree(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static ClusterFile created(UpSettings settings) throws CliFailure {
        int servers = settings.authority().runsOwnServers()
                ? UpSettings.OWN_SERVERS
                        * portsPer(settings.authority().servers().orElseThrow())
                : 0;
        FreePorts.Found ports = settings.portBase().isPresent()
                ? FreePorts.from(settings.portBase().get(), settings.nodes(), servers)
                : FreePorts.search(settings.data().toAbsolutePath().normalize(), settings.nodes(), servers);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < settings.nodes(); i++) {
            members.add(new Member("n" + (i + 1), 0, false, ports.nodes().get(i)));
        }
        return checked(new ClusterFile(
                UpSettings.CLUSTER,
                settings.authority().kind(),
                settings.duty().word(),
                ProcessHandle.current().pid(),
                members,
                servers(settings.authority(), ports.servers())));
    }

    /** The members of an etcd or NATS cluster also listen for each other. */
    private static int portsPer(ServerKind kind) {
        return switch (kind) {
            case REDIS -> 1;
            case ETCD, NATS -> 2;
        };
    }

    private static Optional<Servers> servers(UpAuthority authority, List<Integer> ports) {
        return authority.servers().map(kind -> {
            List<Server> servers = new ArrayList<>();
            for (String address : authority.external()) {
                servers.add(new Server(address, address, 0, 0, false));
            }
            for (int i = 0; i < ports.size(); i += portsPer(kind)) {
                servers.add(new Server(
                        kind.authority() + "-" + (servers.size() + 1),
                        "127.0.0.1:" + ports.get(i),
                        portsPer(kind) > 1 ? ports.get(i + 1) : 0,
                        0,
                        true));
            }
            return new Servers(kind, false, servers);
        });
    }

    private static ClusterFile resumed(UpSettings settings, ClusterFile earlier) throws CliFailure {
        if (earlier.nodes().size() != settings.nodes()) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--nodes: " + settings.nodes() + ", but " + settings.data() + " holds a cluster of "
                            + earlier.nodes().size() + " (expected: the same number; or another --data, or --fresh to"
                            + " begin anew)");
        }
        if (settings.portBase().isPresent()
                && settings.portBase().get()
                        != earlier.nodes().getFirst().ports().grpc()) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--port-base: " + settings.portBase().get() + ", but the cluster in " + settings.data()
                            + " was made with ports from "
                            + earlier.nodes().getFirst().ports().grpc()
                            + " (expected: the same, because the nodes know each other by them; or --fresh)");
        }
        if (!earlier.authority().equals(settings.authority().kind())) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--authority: " + settings.authority().kind() + ", but " + settings.data() + " holds a cluster on "
                            + earlier.authority() + " (expected: the same; or another --data, or --fresh to begin"
                            + " anew)");
        }
        if (!earlier.duty().equals(settings.duty().word())) {
            throw new CliFailure(
                    Exit.USAGE,
                    "--duty: " + settings.duty().word() + ", but the cluster in " + settings.data() + " is for "
                            + earlier.duty() + " (expected: the same; or another --data, or --fresh to begin anew)");
        }
        List<String> known = earlier.servers().map(Servers::addresses).orElse(List.of());
        List<String> named = settings.authority().external();
        if (!named.isEmpty() && !Set.copyOf(named).equals(Set.copyOf(known))) {
            throw new CliFailure(
                    Exit.USAGE,
                    settings.authority().servers().map(ServerKind::option).orElse("") + ": "
                            + String.join(",", named) + ", but the cluster in " + settings.data() + " is on "
                            + String.join(",", known) + " (expected: the same; or another --data, or --fresh)");
        }
        return checked(earlier.stopped().by(ProcessHandle.current().pid()));
    }

    private static ClusterFile checked(ClusterFile file) throws CliFailure {
        for (Member member : file.nodes()) {
            for (int port : member.ports().all()) {
                if (port > 0) { // a cluster of an earlier version has no port for tokens
                    checkFree(port, "node " + member.node());
                }
            }
        }
        for (Server server : ownServers(file)) {
            checkFree(server.port(), server.name());
            if (server.peerPort() > 0) {
                checkFree(server.peerPort(), server.name());
            }
        }
        return file;
    }

    private static void checkFree(int port, String whose) throws CliFailure {
        if (!FreePorts.isFree(port)) {
            throw new CliFailure(
                    Exit.PORT_IN_USE,
                    "port " + port + " of " + whose
                            + " is taken by another process (expected: free; stop that process, or begin anew"
                            + " on other ports with --fresh or another --data)");
        }
    }

    UpSettings settings() {
        return settings;
    }

    /** Whether there was nothing here before, so that the first block is still to come. */
    boolean isNew() {
        return isNew;
    }

    /** The highest block that the run before saw; 0 if that is not known. */
    long seenHeight() {
        return seenHeight;
    }

    /** Leaves to the next run where this one ended. */
    void saw(long height) throws IOException {
        Files.writeString(settings.data().resolve(SEEN), height + "\n");
    }

    synchronized ClusterFile file() {
        return file;
    }

    /** Notes which process a node is now, for those who look for it. */
    synchronized void started(String node, long pid) throws IOException {
        file = file.withPid(node, pid);
        file.write(settings.data());
    }

    /** Notes that the seat has been founded, so that nobody ever founds it again. */
    synchronized void founded() throws IOException {
        file = file.founded();
        file.write(settings.data());
    }

    /** Notes that a node is part of the cluster, from now on and for ever. */
    synchronized void begun(String node) throws IOException {
        if (file.member(node).stream().noneMatch(Member::begun)) {
            file = file.begun(node);
            file.write(settings.data());
        }
    }

    @Override
    public synchronized void close() {
        try {
            file = file.stopped();
            file.write(settings.data());
        } catch (IOException e) {
            // Process ids are checked before they are used, so stale ones do no harm.
        }
        lock.close();
    }

    private static void release(@Nullable FolderLock lock) {
        if (lock != null) {
            lock.close();
        }
    }
}
