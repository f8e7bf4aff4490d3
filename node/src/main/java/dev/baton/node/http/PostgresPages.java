package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.duty.postgres.ClusterRecord;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.duty.postgres.View;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Where load balancers ask for the primary or a replica, by the names that Patroni made common. */
final class PostgresPages {

    private static final Map<String, Integer> UNITS = Map.of("kb", 1 << 10, "mb", 1 << 20, "gb", 1 << 30);

    private final NodeView node;

    PostgresPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                whether("/primary", (duty, request) -> duty.isPrimary()),
                whether("/read-write", (duty, request) -> duty.isPrimary()),
                whether("/replica", PostgresPages::isReplica),
                whether("/read-only", (duty, request) -> duty.isPrimary() || isReplica(duty, request)),
                whether("/sync", (duty, request) -> isReplica(duty, request) && isComplete(duty)),
                whether("/async", (duty, request) -> isReplica(duty, request) && !isComplete(duty)),
                whether("/health", (duty, request) -> duty.view().running()),
                whether("/readiness", (duty, request) -> duty.isPrimary() || isReplica(duty, request)),
                whether("/liveness", (duty, request) -> true),
                Route.get("/cluster", this::cluster));
    }

    private Route whether(String path, BiPredicate<PostgresDuty, Request> wanted) {
        return Route.check(
                path,
                request -> database(request)
                        .map(duty -> {
                            boolean yes = wanted.test(duty, request) && !node.isStopping();
                            return Answer.json(yes ? 200 : 503, member(duty));
                        })
                        .orElseGet(PostgresPages::none));
    }

    private Optional<PostgresDuty> database(Request request) {
        return node.seats().stream()
                .filter(seat -> request.parameter("seat")
                        .map(name -> name.equals(seat.name().value()))
                        .orElse(true))
                .map(ServedSeat::duty)
                .flatMap(duty -> duty.postgres().stream())
                .findFirst();
    }

    private static Answer none() {
        return Answer.error(
                503, "no database here (expected: a seat with the duty postgres, on a node that has started)");
    }

    private static boolean isReplica(PostgresDuty duty, Request request) {
        View seen = duty.view();
        long most = request.parameter("lag").map(PostgresPages::bytes).orElse(Long.MAX_VALUE);
        return seen.running() && seen.standby() && duty.lagBytes() <= most;
    }

    /** Whether the ledger says that it has every commit of which a client was told. */
    private static boolean isComplete(PostgresDuty duty) {
        return duty.record().complete().contains(duty.settings().node());
    }

    /** A number of bytes, or one with kB, MB or GB behind it. */
    static long bytes(String text) {
        String small = text.toLowerCase(Locale.ROOT).strip();
        for (Map.Entry<String, Integer> unit : UNITS.entrySet()) {
            if (small.endsWith(unit.getKey())) {
                String number = small.substring(
                                0, small.length() - unit.getKey().length())
                        .strip();
                return Request.number("lag", number, 0, Integer.MAX_VALUE) * unit.getValue();
            }
        }
        return Request.number("lag", small, 0, Long.MAX_VALUE);
    }

    static Map<String, @Nullable Object> member(PostgresDuty duty) {
        View seen = duty.view();
        return fields(
                "name", duty.settings().node(),
                "address", duty.settings().address(),
                "role", duty.isPrimary() ? "primary" : "replica",
                "state", seen.running() ? seen.streaming() ? "streaming" : "running" : "stopped",
                "timeline", seen.timeline(),
                "position", seen.position().toString(),
                "lag", duty.isPrimary() ? 0 : duty.lagBytes(),
                "sync", isComplete(duty),
                "doing", seen.note());
    }

    /** The last primaries, the newest at the end. */
    static Answer history(PostgresDuty duty) {
        return Answer.json(
                200,
                fields(
                        "reigns",
                        duty.record().history().stream()
                                .map(reign -> fields(
                                        "timeline", reign.timeline(),
                                        "node", reign.node(),
                                        "from", reign.from().toString(),
                                        "sinceMillis", reign.sinceMillis()))
                                .toList()));
    }

    private Answer cluster(Request request) {
        return database(request)
                .map(duty -> {
                    ClusterRecord known = duty.record();
                    return Answer.json(
                            200,
                            fields(
                                    "system", known.systemId(),
                                    "primary", known.serving() ? known.primary() : null,
                                    "address", known.serving() ? known.address() : null,
                                    "timeline", known.timeline(),
                                    "position", known.position().toString(),
                                    "mode", duty.settings().mode().name().toLowerCase(Locale.ROOT),
                                    "complete", known.complete(),
                                    "plannedTo",
                                            known.plan()
                                                    .map(ClusterRecord.Plan::to)
                                                    .orElse(null),
                                    "plannedAtMillis",
                                            known.plan()
                                                    .map(ClusterRecord.Plan::atMillis)
                                                    .orElse(null),
                                    "member", member(duty)));
                })
                .orElseGet(PostgresPages::none);
    }
}
