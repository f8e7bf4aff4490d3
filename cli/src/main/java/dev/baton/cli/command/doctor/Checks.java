package dev.baton.cli.command.doctor;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.NodeView;
import dev.baton.cli.cluster.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Every check in turn; none of them changes anything, but for a file written and deleted to see whether that works. */
public final class Checks {

    private static final int LEAST_JAVA = 21;
    private static final long LEAST_MEMORY = 700L << 20;
    private static final long LEAST_DISK = 1L << 30;
    private static final Duration LONG_SYNC = Duration.ofMillis(100);
    private static final int SYNCS = 5;

    private final ClusterTarget target;
    private final List<Finding> findings = new ArrayList<>();

    public Checks(ClusterTarget target) {
        this.target = target;
    }

    public List<Finding> run() throws InterruptedException {
        java();
        memory();
        Path place = existing(target.data().toAbsolutePath().normalize());
        disk(place);
        writing(place);
        ports();
        clock();
        cluster();
        return List.copyOf(findings);
    }

    private void java() {
        int feature = Runtime.version().feature();
        String found = "Java " + Runtime.version() + " in " + System.getProperty("java.home");
        findings.add(
                feature >= LEAST_JAVA
                        ? Finding.ok("jdk", found)
                        : Finding.fail("jdk", found, "install a JDK " + LEAST_JAVA + " or newer, or set JAVA_HOME"));
    }

    private void memory() {
        Optional<Long> available = availableMemory();
        if (available.isEmpty()) {
            findings.add(
                    Finding.warn("memory", "this system does not tell", "leave some 700 MiB free for three nodes"));
            return;
        }
        String found = (available.get() >> 20) + " MiB available";
        findings.add(
                available.get() >= LEAST_MEMORY
                        ? Finding.ok("memory", found)
                        : Finding.warn(
                                "memory", found, "three nodes want some 700 MiB; close something, or --nodes 1"));
    }

    private static Optional<Long> availableMemory() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The folder, or the nearest one above it that exists. */
    private static Path existing(Path folder) {
        Path place = folder;
        while (!Files.exists(place)) {
            place = Optional.ofNullable(place.getParent()).orElse(Path.of("/"));
        }
        return place;
    }

    private void disk(Path place) {
        try {
            FileStore store = Files.getFileStore(place);
            String found = (store.getUsableSpace() >> 20) + " MiB free at " + place;
            findings.add(
                    store.getUsableSpace() >= LEAST_DISK
                            ? Finding.ok("disk", found)
                            : Finding.warn("disk", found, "free some space, or choose another folder with --data"));
        } catch (IOException e) {
            findings.add(Finding.fail("disk", place + ": " + e, "choose a folder on a disk that works with --data"));
        }
    }

    /** Every block is synced to disk before it counts, so a slow disk is a slow cluster. */
    private void writing(Path place) {
        try {
            Path file = Files.createTempFile(place, ".doctor", null);
            try {
                long beganNanos = System.nanoTime();
                for (int i = 0; i < SYNCS; i++) {
                    sync(file);
                }
                Duration each = Duration.ofNanos((System.nanoTime() - beganNanos) / SYNCS);
                String found = "writable, a synced write takes "
                        + TimeUnit.NANOSECONDS.toMicros(each.toNanos()) / 1000.0 + " ms";
                findings.add(
                        each.compareTo(LONG_SYNC) < 0
                                ? Finding.ok("data", found)
                                : Finding.warn("data", found, "use a faster disk, or a longer --interval"));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            findings.add(Finding.fail("data", place + ": " + e, "make it writable, or choose another with --data"));
        }
    }

    private static void sync(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[4096]));
            channel.force(true);
        }
    }

    private void ports() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            findings.add(Finding.ok(
                    "ports", "can listen on " + socket.getInetAddress().getHostAddress()));
        } catch (IOException e) {
            findings.add(Finding.fail(
                    "ports", "cannot listen on the loopback address: " + e, "bring it up: ip link set lo up"));
        }
    }

    /** The two clocks of this machine against each other: they part when the wall clock is being corrected. */
    private void clock() throws InterruptedException {
        long wallMillis = System.currentTimeMillis();
        long beganNanos = System.nanoTime();
        Thread.sleep(200);
        long off =
                System.currentTimeMillis() - wallMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
        String found = "wall and monotonic clock differ by " + Math.abs(off) + " ms over 200 ms";
        findings.add(
                Math.abs(off) <= 5
                        ? Finding.ok("clock", found)
                        : Finding.warn(
                                "clock",
                                found,
                                "safety does not rest on it, but times shown do; look at the NTP daemon"));
    }

    private void cluster() throws InterruptedException {
        Map<NodeAddress, Reply> replies;
        try {
            Optional<ClusterFile> file = target.isByUrl() ? Optional.empty() : ClusterFile.read(target.data());
            if (!target.isByUrl() && file.isEmpty()) {
                findings.add(Finding.ok("cluster", "none in " + target.data() + " yet; baton up starts one"));
                return;
            }
            if (file.isPresent() && file.get().upPid() == 0) {
                findings.add(Finding.ok("cluster", "stopped; baton up resumes it"));
                return;
            }
            replies = target.askAll("/status");
        } catch (CliFailure e) {
            findings.add(Finding.fail("cluster", e.getMessage(), ""));
            return;
        }
        List<NodeView> views = new ArrayList<>();
        replies.forEach((node, reply) -> {
            NodeView view = NodeView.of(node.node(), reply);
            views.add(view);
            findings.add(nodeFinding(view));
        });
        if (views.stream().noneMatch(NodeView::leads)) {
            findings.add(Finding.fail("cluster", "nobody leads", "baton explain says what each node waits for"));
        }
    }

    private static Finding nodeFinding(NodeView view) {
        if (!view.isUp()) {
            return Finding.fail(view.node(), view.problem(), "its log is in its data folder; up restarts it by itself");
        }
        String found = view.standing() + " at height " + view.height()
                + (view.headAgeMillis().isPresent()
                        ? ", last block "
                                + Durations.readable(view.headAgeMillis().getAsLong()) + " ago"
                        : "");
        return view.ready()
                ? Finding.ok(view.node(), found)
                : Finding.warn(view.node(), found + ", not ready", "it may be catching up; baton explain says more");
    }
}
