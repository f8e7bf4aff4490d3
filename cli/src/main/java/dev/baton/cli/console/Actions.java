package dev.baton.cli.console;

import static dev.baton.node.http.Answer.fields;

import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterProcesses;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.Reply;
import dev.baton.node.http.Answer;
import dev.baton.node.http.Request;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Does what the commands of the same names do. */
final class Actions {

    static final List<String> WORDS =
            Arrays.stream(Action.Kind.values()).map(Action.Kind::word).toList();

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long OFFER_MILLIS = 5_000;

    private final Path data;
    private final Supplier<ClusterFile> cluster;
    private final Supplier<Optional<String>> leader;
    private final Consumer<String> told;
    private final NodeClient client = new NodeClient(PATIENCE);

    /**
     * @param leader who leads now
     * @param told hears of everything that is asked here, so that whoever runs {@code up} sees it
     */
    Actions(Path data, Supplier<ClusterFile> cluster, Supplier<Optional<String>> leader, Consumer<String> told) {
        this.data = data;
        this.cluster = cluster;
        this.leader = leader;
        this.told = told;
    }

    Answer act(Request request) throws InterruptedException {
        Action action = Action.parse(request.body());
        told.accept("console: " + action);
        return switch (action.kind()) {
            case HANDOFF -> handoff(action);
            case PAUSE -> post(action.node(), action, "/pause?why=" + encoded(action.reason()));
            case RESUME -> post(action.node(), action, "/resume?why=" + encoded(action.reason()));
            case CRASH, RESTART -> end(action);
        };
    }

    /** Only the holder can give the seat away. */
    private Answer handoff(Action action) throws InterruptedException {
        Optional<String> holder = leader.get();
        return holder.isEmpty()
                ? Answer.error(409, "nobody leads (expected: a leader that can hand the seat over; try again)")
                : post(
                        holder.get(),
                        action,
                        "/handoff?to=" + encoded(action.node()) + "&validMillis=" + OFFER_MILLIS + "&why="
                                + encoded(action.reason()));
    }

    private Answer post(String node, Action action, String path) throws InterruptedException {
        Optional<ClusterFile.Member> member = cluster.get().member(node);
        if (member.isEmpty()) {
            return Answer.error(404, "node: \"" + node + "\" (expected: a node of this cluster)");
        }
        URI admin = URI.create("http://127.0.0.1:" + member.get().ports().admin());
        String seat = action.seat().map(name -> "&seat=" + encoded(name)).orElse("");
        Reply reply = client.post(admin, path + seat, new byte[0], PATIENCE);
        return switch (reply) {
            case Reply.Answered(var body) -> Answer.json(200, body);
            case Reply.Refused refused -> Answer.error(refused.status(), refused.error());
            case Reply.Unreachable unreachable -> Answer.error(503, ClusterTarget.problem(unreachable));
        };
    }

    private Answer end(Action action) {
        try {
            ProcessHandle process = ClusterProcesses.find(data, cluster.get(), action.node());
            boolean done = action.kind() == Action.Kind.CRASH ? process.destroyForcibly() : process.destroy();
            return done
                    ? Answer.json(200, fields("node", action.node(), "pid", process.pid()))
                    : Answer.error(409, "process " + process.pid() + " could not be ended (expected: an own one)");
        } catch (CliFailure e) {
            return Answer.error(409, String.valueOf(e.getMessage()));
        }
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
