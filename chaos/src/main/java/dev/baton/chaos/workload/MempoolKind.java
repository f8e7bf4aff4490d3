package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.NodeFacts;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.cluster.SeatYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of transactions that nodes share, in a Redis of its own. Nodes bring what is pending to their sequencer, and the
 * watcher, who holds the seat, confirms by the blocks.
 */
final class MempoolKind implements DutyKind {

    private static final String POOL = "pool";
    private static final int CLIENTS = 4;
    private static final Duration ASK = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "mempool";
    }

    @Override
    public String seat() {
        return "mempool";
    }

    /** A watcher's entries only say how far it is; blocks are what transactions come into. */
    @Override
    public String ledgerSeat() {
        return SequencerKind.SEAT;
    }

    @Override
    public String seats(NodeFacts node) {
        return SequencerKind.blocks(node)
                + SeatYaml.seat(seat(), name())
                        .append("    mempool:\n      url: redis://")
                        .append(node.resources().getOrDefault(POOL, ""))
                        .append("\n      prefix: chaos\n      finalize-after: 6\n      drop-after: 100\n")
                        // All that happens in a run is remembered, so that it can be read at the end.
                        .append("      max-finalized: 1000000\n      max-events: 10000000\n      claim-lease: 5s\n");
    }

    @Override
    public List<String> resources() {
        return List.of(POOL);
    }

    @Override
    public List<String> prepare(String resource, String host, int port, Path folder) throws IOException {
        Path config = folder.resolve("redis.conf");
        Files.writeString(config, """
                bind %s
                port %d
                dir "%s"
                daemonize no
                appendonly yes
                appendfsync always
                save ""
                maxmemory-policy noeviction
                proc-title-template "{title} {listen-addr} {config-file}"
                """.formatted(host, port, folder.resolve("data")));
        return List.of("redis-server", config.toString());
    }

    @Override
    public List<Client> clients(Scene scene, long seed) {
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(new Offerer("c" + i, seed, scene));
        }
        return clients;
    }

    @Override
    public List<Runnable> onlookers(Scene scene, String node) {
        return List.of(() -> new Onlookers(scene).read(node));
    }

    @Override
    public boolean isSettled(Cluster cluster) throws IOException, InterruptedException {
        NodeHttp.Reply reply =
                new NodeHttp().get(cluster.httpBehind(cluster.nodes().getFirst()), "/mempool/stats", ASK);
        JsonNode stats = reply.body();
        return reply.isOk()
                && stats.path("pending").asLong(1) == 0
                && stats.path("inflight").asLong(1) == 0;
    }

    /** The pool is one for all: it is enough that one node shows it. */
    @Override
    public void takeStock(Scene scene, String node) throws IOException, InterruptedException {
        BlockReader.takeStore(scene, node);
        if (node.equals(scene.cluster().nodes().getFirst())) {
            new PoolReader(scene.cluster().httpBehind(node)).take(scene.recorder(), node);
        }
    }
}
