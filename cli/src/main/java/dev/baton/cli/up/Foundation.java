package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Server;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.command.Configs;
import dev.baton.node.EtcdEngine;
import dev.baton.node.NatsEngine;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Makes sure that the servers are ready, and the seat on them if it must be founded, before any node asks for it. */
final class Foundation {

    private Foundation() {}

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long EACH_MILLIS = 100;

    static void lay(ClusterFolder folder, Consumer<String> tell) throws CliFailure, InterruptedException {
        Servers servers = folder.file().servers().orElseThrow();
        try {
            NodeConfig config = configOfFirst(folder);
            switch (servers.kind()) {
                case REDIS -> onRedis(folder, servers, config, tell);
                case ETCD -> whenReady(servers, () -> EtcdEngine.check(config));
                case NATS -> whenReady(servers, () -> NatsEngine.check(config));
            }
        } catch (NodeFailure e) {
            boolean unfounded = e.getMessage().contains("baton init");
            throw Configs.failure(e, unfounded ? " (baton up founds it with --init)" : "");
        } catch (IOException e) {
            throw new CliFailure(
                    Exit.DATA_FOLDER,
                    folder.settings().data() + " cannot be written: " + e + " (expected: a folder this user may write)",
                    e);
        }
    }

    /**
     * Founds the seat on Redis nodes that are {@code up}'s own and new, or where that was asked for; never again after
     * that, because Redis nodes that know nothing of a founded seat have lost it.
     */
    private static void onRedis(ClusterFolder folder, Servers redis, NodeConfig config, Consumer<String> tell)
            throws CliFailure, NodeFailure, IOException, InterruptedException {
        OwnRedis.awaitAll(redis.own().stream().map(Server::address).toList());
        boolean mayFound =
                !redis.own().isEmpty() || folder.settings().authority().init();
        if (mayFound && !redis.founded()) {
            for (RedisSeats.Founded founded : RedisSeats.found(config)) {
                tell.accept(founded.toString());
            }
            folder.founded();
        } else if (redis.own().isEmpty()) {
            RedisSeats.check(config);
        }
    }

    private interface Check {
        void run() throws NodeFailure;
    }

    /**
     * A seat in etcd or NATS comes into being by its first promotion. Servers that have just started need a moment to
     * elect.
     */
    private static void whenReady(Servers servers, Check check) throws NodeFailure, InterruptedException {
        long deadlineNanos = System.nanoTime() + (servers.own().isEmpty() ? Duration.ZERO : PATIENCE).toNanos();
        while (true) {
            try {
                check.run();
                return;
            } catch (NodeFailure e) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    throw e;
                }
                Thread.sleep(EACH_MILLIS);
            }
        }
    }

    private static NodeConfig configOfFirst(ClusterFolder folder) throws CliFailure, IOException {
        ClusterFile.Member first = folder.file().nodes().getFirst();
        NodeFiles.write(folder.settings(), folder.file(), first);
        return Configs.read(folder.settings().config(first.node()));
    }
}
