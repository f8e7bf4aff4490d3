package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.TextTable;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.NodeView;
import dev.baton.cli.cluster.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks every node how it stands. */
@Command(
        name = "status",
        description = "Shows every node: standing, epoch, height, age of the last block, process id.",
        footer = {"%nExamples:", "  baton status", "  baton status --json", "  baton crash $(baton status --leader)"})
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--leader", description = "Print only the name of the node that leads; fails if none does.")
    private boolean onlyLeader;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        Map<NodeAddress, Reply> replies = target.askAll("/status");
        List<NodeView> views = new ArrayList<>();
        replies.forEach((node, reply) -> views.add(NodeView.of(node.node(), reply)));
        if (views.stream().noneMatch(NodeView::isUp)) {
            throw ClusterTarget.noneAnswers(replies);
        }
        Optional<NodeView> leader = views.stream().filter(NodeView::leads).findFirst();
        if (onlyLeader) {
            String name = leader.map(NodeView::node)
                    .orElseThrow(() -> new CliFailure(
                            Exit.NOT_FOUND,
                            "no node leads right now (expected: one within seconds; baton explain says what each"
                                    + " waits for)"));
            output.print(Json.object().put("leader", name), List.of(name));
        } else {
            Optional<Servers> servers =
                    target.isByUrl() ? Optional.empty() : target.file().servers();
            output.print(json(views, leader, servers), words(views, leader, servers));
        }
        return Exit.OK.number();
    }

    private static ObjectNode json(List<NodeView> views, Optional<NodeView> leader, Optional<Servers> servers) {
        ObjectNode json = Json.object();
        json.put("leader", leader.map(NodeView::node).orElse(null));
        leader.flatMap(view ->
                        view.epoch().isPresent() ? Optional.of(view.epoch().getAsLong()) : Optional.empty())
                .ifPresentOrElse(epoch -> json.put("epoch", epoch), () -> json.putNull("epoch"));
        json.put("height", views.stream().mapToLong(NodeView::height).max().orElse(0));
        ArrayNode nodes = json.putArray("nodes");
        views.forEach(view -> nodes.add(view.toJson()));
        servers.ifPresent(kept -> {
            ArrayNode each = json.putArray(kept.kind().authority());
            kept.nodes()
                    .forEach(node -> each.addObject()
                            .put("node", node.name())
                            .put("address", node.address())
                            .put("pid", node.pid()));
        });
        return json;
    }

    /** The servers in a line. */
    public static String line(Servers servers) {
        return servers.nodes().stream()
                .map(node -> node.own() ? node.name() + " " + node.address() + " (" + node.pid() + ")" : node.address())
                .collect(Collectors.joining(", ", "on " + servers.kind().title() + ": ", ""));
    }

    private static List<String> words(List<NodeView> views, Optional<NodeView> leader, Optional<Servers> servers) {
        List<String> lines = new ArrayList<>(table(views));
        servers.ifPresent(kept -> lines.add(line(kept)));
        lines.add(leader.map(view -> view.node() + " leads").orElse("nobody leads; baton explain says why"));
        for (NodeView view : views) {
            if (!view.ready() && !view.problem().isEmpty()) {
                lines.add(view.node() + ": " + view.problem());
            }
        }
        return lines;
    }

    /** The nodes as a table, as {@code up} shows them, too. */
    public static List<String> table(List<NodeView> views) {
        TextTable table = new TextTable("NODE", "STANDING", "EPOCH", "HEIGHT", "LAST BLOCK", "PID");
        for (NodeView view : views) {
            table.row(
                    view.node(),
                    view.standing() + (view.isUp() && !view.ready() ? " (not ready)" : ""),
                    view.epoch().isPresent() ? view.epoch().getAsLong() : "-",
                    view.isUp() ? view.height() : "-",
                    view.headAgeMillis().isPresent()
                            ? Durations.readable(view.headAgeMillis().getAsLong()) + " ago"
                            : "-",
                    view.pid() > 0 ? view.pid() : "-");
        }
        return table.lines();
    }
}
