package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.Epoch;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.node.EngineNodes;
import dev.baton.node.Membership;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import dev.baton.node.config.HostPort;
import dev.baton.node.presence.Handoffs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What only operators may do: every request here is logged. */
final class AdminPages {

    private static final Logger LOG = LoggerFactory.getLogger("dev.baton.admin");
    private static final long DEFAULT_VALID_MILLIS = 5_000;
    private static final long MOST_VALID_MILLIS = 60_000;

    private final NodeView node;

    AdminPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/handoff", 0, this::handoff),
                Route.post("/pause", 0, this::pause),
                Route.post("/resume", 0, this::resume),
                Route.post("/nodes/change", 0, this::changeNodes),
                Route.get("/members", request -> members(Membership::members)),
                Route.post("/members/add", 0, request -> add(nodeId(request, "node"))),
                Route.post("/members/remove", 0, request -> remove(nodeId(request, "node"))));
    }

    private ServedSeat seat(Request request) {
        return node.seat(request.parameter("seat"))
                .orElseThrow(() -> new Request.BadRequestException("seat: "
                        + request.parameter("seat").orElse("") + " (expected: one of "
                        + node.seats().stream().map(seat -> seat.name().value()).toList()
                        + ")"));
    }

    private static NodeId nodeId(Request request, String parameter) {
        try {
            return new NodeId(request.required(parameter, "the name of a node"));
        } catch (IllegalArgumentException e) {
            throw new Request.BadRequestException(String.valueOf(e.getMessage()));
        }
    }

    /** A member comes of its own accord: only it can prepare the storage that it votes from. */
    private static Answer add(NodeId joining) {
        return Answer.error(
                409,
                joining + " cannot be added from here (expected: start it with authority.start: join, an empty data"
                        + " folder, and the addresses of all members with its own in authority.peers)");
    }

    private Answer remove(NodeId removed) throws Exception {
        LOG.info("members: remove {}", removed);
        ServedSeat first = node.seats().getFirst();
        begin("remove-member", first, removed.value());
        Answer answer = members(membership -> {
            membership.remove(removed);
            return membership.members();
        });
        note("remove-member", first, removed.value(), answer.status() == 200 ? "OK" : "FAILED_PRECONDITION", "");
        return answer;
    }

    Answer handoff(Request request) throws IOException, InterruptedException {
        ServedSeat seat = seat(request);
        NodeId target = nodeId(request, "to");
        Duration validFor =
                Duration.ofMillis(request.number("validMillis", 100, MOST_VALID_MILLIS, DEFAULT_VALID_MILLIS));
        String why = request.parameter("why").map(reason -> ": " + reason).orElse("");
        LOG.info("{}: handoff to {} asked{}", seat.name(), target, why);
        begin("handoff", seat, "to " + target + why);
        long begunNanos = System.nanoTime();
        Handoffs.Outcome outcome = node.handoffs().handOff(seat.joined(), target, validFor);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
        LOG.info("{}: handoff to {} ended after {} ms: {}", seat.name(), target, millis, outcome);
        String outcomeWord = outcome instanceof Handoffs.Outcome.Done ? "OK" : "FAILED_PRECONDITION";
        note("handoff", seat, "to " + target + why, outcomeWord, outcome.toString());
        return switch (outcome) {
            case Handoffs.Outcome.Done(Epoch epoch, long height) ->
                Answer.json(
                        200,
                        fields(
                                "from", node.config().node().value(),
                                "to", target.value(),
                                "epoch", epoch.value(),
                                "height", height,
                                "millis", millis));
            case Handoffs.Outcome.Refused(String refused) -> Answer.error(409, refused);
        };
    }

    private Answer changeNodes(Request request) throws IOException, InterruptedException {
        ServedSeat seat = seat(request);
        Optional<EngineNodes> nodes = node.engineNodes();
        if (nodes.isEmpty()) {
            return Answer.error(409, EnginePages.noNodes(node));
        }
        Optional<String> leaving = address(request, "leave");
        Optional<String> arriving = address(request, "enter");
        if (leaving.isEmpty() && arriving.isEmpty()) {
            throw new Request.BadRequestException(
                    "leave, enter: missing (expected: host:port in one of them, or both)");
        }
        LOG.info("{}: change of nodes asked: {} leaves, {} enters", seat.name(), leaving, arriving);
        SeatId id = seat.status().seat();
        String change = leaving.orElse("nobody") + " leaves, " + arriving.orElse("nobody") + " enters";
        begin("change-nodes", seat, change);
        Optional<String> refused = nodes.get().change(id, leaving, arriving);
        LOG.info("{}: change of nodes: {}", seat.name(), refused.orElse("committed"));
        note("change-nodes", seat, change, refused.isEmpty() ? "OK" : "FAILED_PRECONDITION", refused.orElse(""));
        return refused.isPresent()
                ? Answer.error(409, refused.get())
                : Answer.json(200, EnginePages.view(seat, nodes.get().of(id)));
    }

    private static Optional<String> address(Request request, String parameter) {
        try {
            return request.parameter(parameter).map(text -> HostPort.parse(text).toString());
        } catch (IllegalArgumentException e) {
            throw new Request.BadRequestException(parameter + ": " + e.getMessage());
        }
    }

    Answer pause(Request request) throws IOException {
        ServedSeat seat = seat(request);
        String why = request.parameter("why").orElse("paused by an operator");
        LOG.info("{}: pause asked: {}", seat.name(), why);
        begin("pause", seat, why);
        seat.joined().pause(why);
        note("pause", seat, why, "OK", "");
        return accepted(seat);
    }

    Answer resume(Request request) throws IOException {
        ServedSeat seat = seat(request);
        String why = request.parameter("why").orElse("");
        LOG.info("{}: resume asked{}", seat.name(), why.isEmpty() ? "" : ": " + why);
        Optional<String> never = node.config().neverLeads();
        if (never.isPresent()) {
            return Answer.error(409, never.get());
        }
        begin("resume", seat, why);
        seat.joined().resume();
        note("resume", seat, why, "OK", "");
        return accepted(seat);
    }

    /** What cannot be written down is not done. */
    private void begin(String call, ServedSeat seat, String reason) throws IOException {
        Optional<ControlPlane> plane = node.control();
        if (plane.isPresent()) {
            plane.get().begin("http-admin", call, seat.status(), reason);
        }
    }

    private void note(String call, ServedSeat seat, String reason, String outcome, String detail) {
        node.control().ifPresent(plane -> plane.note("http-admin", call, seat.status(), reason, outcome, detail));
    }

    private Answer accepted(ServedSeat seat) {
        return Answer.json(
                200,
                fields("node", node.config().node().value(), "seat", seat.name().value()));
    }

    private interface Change {
        Map<NodeId, String> apply(Membership membership) throws Exception;
    }

    private Answer members(Change change) throws Exception {
        Optional<Membership> membership = node.membership();
        if (membership.isEmpty()) {
            return Answer.error(
                    409, "the engine " + node.authorityKind() + " has no members among the nodes (expected: raft)");
        }
        Map<NodeId, String> members;
        try {
            members = change.apply(membership.get());
        } catch (InterruptedException | Request.BadRequestException e) {
            throw e;
        } catch (Exception e) {
            return Answer.error(409, String.valueOf(e.getMessage()));
        }
        Map<String, String> view = new TreeMap<>();
        members.forEach((name, address) -> view.put(name.value(), address));
        return Answer.json(200, fields("members", view));
    }
}
