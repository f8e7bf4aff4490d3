package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.Seating;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.node.BuildInfo;
import dev.baton.node.History;
import dev.baton.node.NodeView;
import dev.baton.node.ServedDuty;
import dev.baton.node.ServedSeat;
import dev.baton.node.StandingWatch;
import dev.baton.node.presence.NodePresence;
import dev.baton.node.presence.PeerTable;
import dev.baton.seat.SeatStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where the node stands: for probes, load balancers and people. */
final class StatusPages {

    private static final int DEFAULT_TERMS = 100;
    private static final long LONGEST_WATCH_MILLIS = 60_000;

    private final NodeView node;

    StatusPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.check("/live", request -> Answer.json(200, fields("node", name(), "live", true))),
                Route.check("/ready", this::ready),
                Route.check("/leader", request -> whether(request, status -> status.leadsAt(System.nanoTime()))),
                Route.check("/follower", request -> whether(request, StatusPages::follows)),
                Route.get("/status", request -> Answer.json(200, status())),
                Route.get("/explain", this::explain),
                Route.get("/history", this::history),
                Route.get("/milestones", this::milestones),
                Route.get("/watch", this::watch),
                Route.get(
                        "/metrics",
                        request -> Answer.text("text/plain; version=0.0.4; charset=utf-8", node.metrics())));
    }

    private String name() {
        return node.config().node().value();
    }

    private static boolean follows(SeatStatus status) {
        return !status.leads() && status.readiness().isReady();
    }

    /** Ready means that every duty is: a node that is stopping, or has joined nothing yet, is not. */
    private Answer ready(Request request) {
        List<Map<String, @Nullable Object>> reasons = node.seats().stream()
                .filter(seat -> !seat.status().readiness().isReady())
                .map(seat -> fields("seat", seat.name().value(), "notReady", notReady(seat.status())))
                .toList();
        boolean started = !node.seats().isEmpty();
        boolean ready = started && reasons.isEmpty() && !node.isStopping();
        String why = node.isStopping() ? "stopping" : started ? "a duty is not ready" : "starting";
        return ready
                ? Answer.json(200, fields("node", name(), "ready", true))
                : Answer.json(503, fields("node", name(), "ready", false, "error", why, "seats", reasons));
    }

    private static String notReady(SeatStatus status) {
        return status.readiness() instanceof Readiness.NotReady(String why) ? why : "";
    }

    private Answer whether(Request request, Predicate<SeatStatus> wanted) {
        return seat(request)
                .map(seat -> {
                    SeatStatus status = seat.status();
                    boolean yes = wanted.test(status) && !node.isStopping();
                    return Answer.json(
                            yes ? 200 : 503,
                            fields(
                                    "node", name(),
                                    "seat", seat.name().value(),
                                    "standing", status.standing().name().name(),
                                    "epoch", epoch(status),
                                    "holder",
                                            status.currentHolder()
                                                    .map(by -> by.term().node().value())
                                                    .orElse(null)));
                })
                .orElseGet(() -> noSeat(request));
    }

    private Optional<ServedSeat> seat(Request request) {
        return node.seat(request.parameter("seat"));
    }

    private Answer noSeat(Request request) {
        List<String> known =
                node.seats().stream().map(seat -> seat.name().value()).toList();
        return known.isEmpty()
                ? Answer.error(503, "the node is starting; try again")
                : Answer.error(
                        404, "seat " + request.parameter("seat").orElse("") + " (expected: one of " + known + ")");
    }

    private static @Nullable Long epoch(SeatStatus status) {
        return status.currentHolder().map(by -> by.term().epoch().value()).orElse(null);
    }

    Map<String, @Nullable Object> status() {
        return fields(
                "cluster", node.config().cluster().value(),
                "node", name(),
                "version", BuildInfo.version(),
                "commit", BuildInfo.commit(),
                "incarnation", node.self().incarnation().toString(),
                "pid", ProcessHandle.current().pid(),
                "startedAtMillis", node.startedAtMillis(),
                "uptimeMillis", System.currentTimeMillis() - node.startedAtMillis(),
                "authority", node.authorityKind(),
                "dataDir", node.config().data().toString(),
                "control", node.controlAddress(),
                "breakGlass",
                        node.control()
                                .map(plane -> plane.figures().glassBroken())
                                .orElse(false),
                "auditBroken", node.control().flatMap(ControlPlane::bookDamage).orElse(null),
                "seats", node.seats().stream().map(this::seat).toList(),
                "peers", node.peers().all().stream().map(this::peer).toList());
    }

    private Map<String, @Nullable Object> seat(ServedSeat seat) {
        SeatStatus status = seat.status();
        ServedDuty.Figures figures = seat.duty().figures();
        return fields(
                "seat", seat.name().value(),
                "era", status.seat().era().value(),
                "standing", status.standing().name().name(),
                "epoch", epoch(status),
                "holder", status.currentHolder().map(this::holder).orElse(null),
                "height", status.head().height().value(),
                "hash", status.head().hash().toString(),
                "applied", status.applied().value(),
                "ready", status.readiness().isReady(),
                "notReady", notReady(status),
                "headAgeMillis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - status.headSeenNanos()),
                "intervalMillis", seat.config().timings().interval().toMillis(),
                "deadlineLeftMillis", deadlineLeftMillis(status),
                "explain", status.explain(),
                "lastProblem", status.lastProblem(),
                "duty", seat.duty().kind(),
                "safeHeight", figures.safeHeight().value(),
                "backlog", figures.backlog(),
                "pool", figures.pool());
    }

    private Map<String, @Nullable Object> holder(Seating by) {
        String http = by.term().node().equals(node.config().node())
                ? node.ownHttpAddress()
                : node.peers()
                        .find(by.term().node())
                        .map(peer -> peer.presence().httpAddress())
                        .orElse(null);
        return fields(
                "node", by.term().node().value(),
                "epoch", by.term().epoch().value(),
                "incarnation", by.term().holder().incarnation().toString(),
                "address", by.address(),
                "http", http);
    }

    private static @Nullable Long deadlineLeftMillis(SeatStatus status) {
        return status.standing() instanceof Standing.Tenured tenured
                ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(tenured.tenancy().deadlineNanos() - System.nanoTime()))
                : null;
    }

    /** Where a peer has several seats, the fields beside {@code seats} are those of the first. */
    private Map<String, @Nullable Object> peer(PeerTable.Sighting peer) {
        var first = peer.presence().seats().stream().findFirst();
        return fields(
                "node", peer.presence().node().value(),
                "address", peer.presence().grpcAddress(),
                "http", peer.presence().httpAddress(),
                "version", peer.presence().version(),
                "standing", first.map(at -> at.standing().name()).orElse(null),
                "height", first.map(at -> at.height().value()).orElse(null),
                "ready", first.map(at -> at.ready()).orElse(false),
                "seats",
                        peer.presence().seats().stream()
                                .map(StatusPages::atSeat)
                                .toList(),
                "present", node.peers().isPresent(peer),
                "seenMillisAgo", node.peers().age(peer).toMillis(),
                "incarnation", peer.presence().incarnation().toString(),
                "differences", peer.differences());
    }

    private static Map<String, @Nullable Object> atSeat(NodePresence.AtSeat at) {
        return fields(
                "seat", at.seat().value(),
                "standing", at.standing().name(),
                "epoch", at.epoch() == 0 ? null : at.epoch(),
                "height", at.height().value(),
                "applied", at.applied().value(),
                "ready", at.ready(),
                "notReady", at.notReady());
    }

    private Answer explain(Request request) {
        return seat(request)
                .map(seat -> Answer.json(
                        200,
                        fields(
                                "node", name(),
                                "seat", seat.name().value(),
                                "standing", seat.status().standing().name().name(),
                                "explain", seat.status().explain())))
                .orElseGet(() -> noSeat(request));
    }

    private Answer history(Request request) throws IOException {
        Optional<ServedSeat> seat = seat(request);
        if (seat.isEmpty()) {
            return noSeat(request);
        }
        Optional<History> history = seat.get().history();
        if (history.isEmpty()) {
            return seat.get()
                    .duty()
                    .postgres()
                    .map(PostgresPages::history)
                    .orElseGet(() -> Answer.error(
                            404,
                            seat.get().name()
                                    + " keeps no history (expected: the seat of a sequencer or of a PostgreSQL)"));
        }
        int limit = (int) request.number("limit", 1, 10_000, DEFAULT_TERMS);
        return Answer.json(
                200,
                fields(
                        "seat",
                        seat.get().name().value(),
                        "terms",
                        history.get().terms(limit).stream()
                                .map(StatusPages::term)
                                .toList()));
    }

    private Answer milestones(Request request) {
        return seat(request)
                .map(seat -> Answer.json(
                        200, fields("node", name(), "seat", seat.name().value(), "milestones", milestones(seat))))
                .orElseGet(() -> noSeat(request));
    }

    /** Answers once this node stands differently from what the asker knows, so that a proxy learns of a change at once. */
    private Answer watch(Request request) throws InterruptedException {
        Optional<ServedSeat> seat = seat(request);
        if (seat.isEmpty()) {
            return noSeat(request);
        }
        long known = request.number("known", -1, Long.MAX_VALUE, -1);
        long waitMillis = request.number("waitMillis", 0, LONGEST_WATCH_MILLIS, 0);
        StandingWatch.Stand stand = seat.get().standings().await(known, Duration.ofMillis(waitMillis));
        SeatStatus status = seat.get().status();
        return Answer.json(
                200,
                fields(
                        "node", name(),
                        "seat", seat.get().name().value(),
                        "era", status.seat().era().value(),
                        "version", stand.version(),
                        "standing", stand.standing(),
                        "epoch", stand.epoch(),
                        "serves", stand.serves() && !node.isStopping(),
                        "ready", status.readiness().isReady() && !node.isStopping()));
    }

    static List<Map<String, @Nullable Object>> milestones(ServedSeat seat) {
        return seat.milestones().passed().stream()
                .map(passed -> fields(
                        "milestone", passed.milestone().name(),
                        "epoch", passed.epoch(),
                        "atMicros", passed.atMicros()))
                .toList();
    }

    static Map<String, @Nullable Object> term(History.Held held) {
        return fields(
                "epoch", held.term().epoch().value(),
                "node", held.term().node().value(),
                "incarnation", held.term().holder().incarnation().toString(),
                "openedAtMillis", held.openedAtMillis(),
                "firstHeight", held.firstHeight().value(),
                "lastHeight", held.lastHeight().value(),
                "lastBlockAtMillis", held.lastBlockAtMillis(),
                "ended", held.ended() == null ? null : held.ended().name(),
                "gapMillis", held.gapMillis());
    }
}
