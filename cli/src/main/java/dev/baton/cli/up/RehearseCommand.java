package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.NodeView;
import dev.baton.node.Node;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Runs a small cluster within this process for a moment, so that {@code ./baton} can archive the classes that a node
 * loads: from the archive a node starts in a fraction of the time.
 */
@Command(
        name = "rehearse",
        hidden = true,
        description = "Runs a cluster in this process until it has made some blocks.")
public final class RehearseCommand implements Callable<Integer> {

    private static final int NODES = 3;
    private static final int BLOCKS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long EACH_MILLIS = 20;

    @Override
    public Integer call() throws Exception {
        Path data = Files.createTempDirectory("baton-rehearsal");
        try {
            UpSettings settings = new UpSettings(
                    data,
                    NODES,
                    Duration.ofMillis(100),
                    UpAuthority.RAFT,
                    UpDuty.SEQUENCER,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    false);
            try (ClusterFolder folder = ClusterFolder.open(settings)) {
                return rehearse(folder).number();
            }
        } finally {
            delete(data);
        }
    }

    private static Exit rehearse(ClusterFolder folder) throws Exception {
        List<Node> nodes = new ArrayList<>();
        try (ChainOnlooker onlooker = new ChainOnlooker(folder)) {
            onlooker.start(new Silence());
            nodes.addAll(start(folder));
            submit(folder);
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            while (onlooker.tally().blocks() < BLOCKS && System.nanoTime() - deadlineNanos < 0) {
                Thread.sleep(EACH_MILLIS);
            }
            onlooker.conclude(node -> true, Duration.ofSeconds(1));
            return onlooker.tally().passed() ? Exit.OK : Exit.FAILED;
        } finally {
            nodes.forEach(Node::close);
        }
    }

    /** All at once: none of them is complete without the others. */
    private static List<Node> start(ClusterFolder folder) throws Exception {
        List<Future<Node>> starting = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(NODES)) {
            for (Member member : folder.file().nodes()) {
                NodeFiles.write(folder.settings(), folder.file(), member);
                NodeConfig config = ConfigReader.read(folder.settings().config(member.node()));
                starting.add(threads.submit(() -> Node.start(config)));
            }
        }
        List<Node> nodes = new ArrayList<>();
        for (Future<Node> node : starting) {
            try {
                nodes.add(node.get());
            } catch (ExecutionException e) {
                nodes.forEach(Node::close);
                throw new CliFailure(Exit.FAILED, "the rehearsal broke: " + e.getCause(), e);
            }
        }
        return nodes;
    }

    private static void submit(ClusterFolder folder) throws InterruptedException {
        URI node = URI.create(
                "http://127.0.0.1:" + folder.file().nodes().getFirst().ports().http());
        new NodeClient(PATIENCE)
                .post(node, "/submit", "rehearsal".getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(2));
    }

    private static void delete(Path data) throws IOException {
        try (Stream<Path> tree = Files.walk(data)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Nobody watches. */
    private static final class Silence implements Reporter {
        @Override
        public void seen(Seen news) {}

        @Override
        public void standing(NodeView before, NodeView now) {}

        @Override
        public void event(String what) {}

        @Override
        public void hint(String command) {}

        @Override
        public void verdict(Tally tally) {}

        @Override
        public void close() {}
    }
}
