package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Server;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.cluster.ServerKind;
import java.util.List;

/** The Redis that keeps the mempool of an {@code up} cluster: one, whatever keeps the seats. */
final class MempoolServer {

    private MempoolServer() {}

    /** On a port of the first node that only tokens would use. */
    static Server of(ClusterFile cluster) {
        int port = cluster.nodes().getFirst().ports().duty();
        return new Server(UpSettings.MEMPOOL, "127.0.0.1:" + port, 0, 0, true);
    }

    static Program program(ClusterFolder folder) throws CliFailure {
        ServerProgram.checkInstalled(ServerKind.REDIS);
        Server server = of(folder.file());
        return new ServerProgram(folder.settings(), new Servers(ServerKind.REDIS, true, List.of(server)), server);
    }

    static void await(ClusterFolder folder) throws CliFailure, InterruptedException {
        OwnRedis.awaitAll(List.of(of(folder.file()).address()));
    }
}
