package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.node.EngineNodes;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The servers outside that keep the seats, as this node sees them. */
final class EnginePages {

    private final NodeView node;

    EnginePages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(Route.get("/nodes", this::nodes));
    }

    private Answer nodes(Request request) throws InterruptedException {
        Optional<EngineNodes> nodes = node.engineNodes();
        if (nodes.isEmpty()) {
            return node.seats().isEmpty()
                    ? Answer.error(503, "the node is starting; try again")
                    : Answer.error(409, noNodes(node));
        }
        List<Map<String, @Nullable Object>> seats = new ArrayList<>();
        for (ServedSeat seat : node.seats()) {
            seats.add(view(seat, nodes.get().of(seat.status().seat())));
        }
        return Answer.json(
                200, fields("node", node.config().node().value(), "authority", node.authorityKind(), "seats", seats));
    }

    static String noNodes(NodeView node) {
        return "the engine " + node.authorityKind() + " has no nodes of its own (expected: redis, etcd or nats)";
    }

    static Map<String, @Nullable Object> view(ServedSeat seat, List<EngineNodes.State> states) {
        return fields(
                "seat", seat.name().value(),
                "era", seat.status().seat().era().value(),
                "nodes", states.stream().map(EnginePages::view).toList());
    }

    private static Map<String, @Nullable Object> view(EngineNodes.State state) {
        EngineNodes.@Nullable Copy copy = state.copy();
        return fields(
                "address", state.address(),
                "member", state.member(),
                "height", copy == null ? null : copy.head().height().value(),
                "hash", copy == null ? null : copy.head().hash().toString(),
                "promised", copy == null ? null : copy.promised().value(),
                "seat", copy == null ? null : copy.seat(),
                "health", state.health().name().toLowerCase(Locale.ROOT),
                "note", state.note(),
                "trouble", state.trouble());
    }
}
