package dev.baton.cli.mempool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster's pool, and which node is asked about it. */
final class PoolSource {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Option(names = "--node", paramLabel = "NODE", description = "Ask this node; whichever answers first if absent.")
    private Optional<String> node = Optional.empty();

    private List<NodeAddress> nodes() throws CliFailure {
        return node.isPresent() ? List.of(target.node(node.get())) : target.nodes();
    }

    private interface Question {
        Reply ask(NodeAddress node) throws InterruptedException;
    }

    /** Any node's answer is as good as another's: those that cannot be reached are passed over. */
    private JsonNode ask(Question question) throws CliFailure, InterruptedException {
        Reply last = new Reply.Unreachable("no node is known");
        for (NodeAddress each : nodes()) {
            last = question.ask(each);
            if (!(last instanceof Reply.Unreachable)) {
                return ClusterTarget.expect(last);
            }
        }
        return ClusterTarget.expect(last);
    }

    JsonNode get(String path) throws CliFailure, InterruptedException {
        return ask(each -> target.client().get(each.http(), path));
    }

    JsonNode post(String path, byte[] body) throws CliFailure, InterruptedException {
        return ask(each -> target.client().post(each.http(), path, body, PATIENCE));
    }

    ClusterTarget target() {
        return target;
    }

    NodeAddress first() throws CliFailure, InterruptedException {
        return node.isPresent() ? target.node(node.get()) : target.answering().getFirst();
    }
}
