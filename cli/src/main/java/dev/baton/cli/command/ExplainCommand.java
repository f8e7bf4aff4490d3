package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.NodeView;
import dev.baton.cli.cluster.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says in words why a node leads or does not. */
@Command(
        name = "explain",
        description = "Says in words why each node, or the named one, does or does not lead.",
        footer = {"%nExamples:", "  baton explain", "  baton explain n2"})
public final class ExplainCommand implements Callable<Integer> {

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Parameters(arity = "0..1", paramLabel = "NODE", description = "The node to ask; all if absent.")
    private Optional<String> node = Optional.empty();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Map<NodeAddress, Reply> replies = new LinkedHashMap<>();
        if (node.isPresent()) {
            NodeAddress address = target.node(node.get());
            replies.put(address, target.client().get(address.http(), "/status"));
        } else {
            replies.putAll(target.askAll("/status"));
        }
        if (replies.values().stream().allMatch(reply -> reply.answer().isEmpty())) {
            throw ClusterTarget.noneAnswers(replies);
        }
        ArrayNode nodes = Json.array();
        List<String> words = new ArrayList<>();
        replies.forEach((address, reply) -> {
            NodeView view = NodeView.of(address.node(), reply);
            nodes.add(json(view));
            words.add(view.node() + " (" + view.standing() + "): " + view.explain());
        });
        output.print(Json.object().set("nodes", nodes), words);
        return Exit.OK.number();
    }

    private static ObjectNode json(NodeView view) {
        return Json.object()
                .put("node", view.node())
                .put("standing", view.standing())
                .put("holder", view.holder().orElse(null))
                .put("explain", view.explain());
    }
}
