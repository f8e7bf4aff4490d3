package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.RedisNode;
import dev.baton.cli.cluster.ClusterFile.RedisNodes;
import dev.baton.cli.command.Configs;
import dev.baton.node.NodeFailure;
import dev.baton.node.RedisSeats;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.util.function.Consumer;

/** Makes sure that the seat is on the Redis nodes before any node asks for it. */
final class Foundation {

    private Foundation() {}

    /**
     * Founds the seat on Redis nodes that are {@code up}'s own and new, or where that was asked for; never again after
     * that, because Redis nodes that know nothing of a founded seat have lost it.
     */
    static void lay(ClusterFolder folder, Consumer<String> tell) throws CliFailure, InterruptedException {
        RedisNodes redis = folder.file().redis().orElseThrow();
        OwnRedis.awaitAll(redis.own().stream().map(RedisNode::address).toList());
        try {
            NodeConfig config = configOfFirst(folder);
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

    private static NodeConfig configOfFirst(ClusterFolder folder) throws CliFailure, IOException {
        ClusterFile.Member first = folder.file().nodes().getFirst();
        NodeFiles.write(folder.settings(), folder.file(), first);
        return Configs.read(folder.settings().config(first.node()));
    }
}
