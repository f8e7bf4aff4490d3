package dev.baton.cli.pg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Asks every node for its server. */
@Command(
        name = "list",
        description = "Shows every server: role, state, timeline, position, how far it is behind.",
        footer = {"%nExamples:", "  baton pg list", "  baton pg list --json"})
final class PgListCommand implements Callable<Integer> {

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Map<NodeAddress, Reply> replies = target.askAll("/cluster");
        if (replies.values().stream().allMatch(reply -> reply.answer().isEmpty())) {
            throw ClusterTarget.noneAnswers(replies);
        }
        TextTable table = new TextTable("node", "address", "role", "state", "timeline", "position", "behind", "doing");
        ObjectNode json = Json.object();
        ArrayNode members = json.putArray("members");
        replies.forEach((node, reply) -> {
            Optional<JsonNode> member = reply.answer().map(body -> body.path("member"));
            if (member.isPresent()) {
                members.add(member.get());
                row(table, node.node(), member.get());
            } else {
                table.row(node.node(), "-", "-", "does not answer", "-", "-", "-", "-");
            }
        });
        List<String> lines = new ArrayList<>(table.lines());
        planned(replies).ifPresent(cluster -> {
            json.put("plannedTo", cluster.path("plannedTo").asText());
            json.put("plannedAtMillis", cluster.path("plannedAtMillis").asLong());
            lines.add("planned: " + cluster.path("plannedTo").asText() + " becomes the primary at "
                    + Instant.ofEpochMilli(cluster.path("plannedAtMillis").asLong()));
        });
        output.print(json, lines);
        return Exit.OK.number();
    }

    private static Optional<JsonNode> planned(Map<NodeAddress, Reply> replies) {
        return replies.values().stream()
                .flatMap(reply -> reply.answer().stream())
                .filter(cluster -> cluster.path("plannedTo").isTextual())
                .findFirst();
    }

    private static void row(TextTable table, String node, JsonNode member) {
        table.row(
                node,
                member.path("address").asText(),
                member.path("role").asText() + (member.path("sync").asBoolean() ? ", complete" : ""),
                member.path("state").asText(),
                member.path("timeline").asInt(),
                member.path("position").asText(),
                member.path("lag").asLong(),
                member.path("doing").asText());
    }
}
