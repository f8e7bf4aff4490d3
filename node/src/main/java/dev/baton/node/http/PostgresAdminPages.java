package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.core.Epoch;
import dev.baton.core.NodeId;
import dev.baton.duty.postgres.ClusterRecord;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import dev.baton.node.presence.Handoffs;
import dev.baton.node.switchover.Switchover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators of a PostgreSQL may do: every request here is logged. */
final class PostgresAdminPages {

    private static final Logger LOG = LoggerFactory.getLogger("dev.baton.admin");
    private static final long DEFAULT_VALID_MILLIS = 8_000;
    private static final long MOST_VALID_MILLIS = 60_000;

    private final NodeView node;

    PostgresAdminPages(NodeView node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/switchover", 0, this::switchover),
                Route.post("/switchover/plan", 0, this::plan),
                Route.post("/switchover/cancel", 0, request -> note(request, Optional.empty())),
                Route.post("/reinit", 0, this::reinit));
    }

    private interface Work {
        Answer with(ServedSeat seat, PostgresDuty duty) throws InterruptedException;
    }

    private Answer database(Request request, Work work) throws InterruptedException {
        for (ServedSeat seat : node.seats()) {
            Optional<PostgresDuty> duty = seat.duty().postgres();
            if (duty.isPresent()
                    && request.parameter("seat")
                            .map(seat.name().value()::equals)
                            .orElse(true)) {
                return work.with(seat, duty.get());
            }
        }
        return Answer.error(409, "no database here (expected: a seat with the duty postgres)");
    }

    private NodeId target(Request request) {
        NodeId target;
        try {
            target = new NodeId(request.required("to", "the name of a node"));
        } catch (IllegalArgumentException e) {
            throw new Request.BadRequestException(String.valueOf(e.getMessage()));
        }
        if (!target.equals(node.config().node()) && !node.config().others().containsKey(target)) {
            throw new Request.BadRequestException("to: " + target + " (expected: one of "
                    + node.config().others().keySet().stream().sorted().toList() + ")");
        }
        return target;
    }

    private Answer switchover(Request request) throws InterruptedException {
        NodeId target = target(request);
        Duration validFor =
                Duration.ofMillis(request.number("validMillis", 100, MOST_VALID_MILLIS, DEFAULT_VALID_MILLIS));
        return database(request, (seat, duty) -> {
            LOG.info("{}: switchover to {} asked", seat.name(), target);
            long begunNanos = System.nanoTime();
            Handoffs.Outcome outcome = Switchover.run(node.handoffs(), seat, duty, target, validFor);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
            LOG.info("{}: switchover to {} ended after {} ms: {}", seat.name(), target, millis, outcome);
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
                case Handoffs.Outcome.Refused(String why) -> Answer.error(409, why);
            };
        });
    }

    private Answer plan(Request request) throws InterruptedException {
        long atMillis =
                Request.number("atMillis", request.required("atMillis", "milliseconds since 1970"), 1, Long.MAX_VALUE);
        return note(request, Optional.of(new ClusterRecord.Plan(target(request).value(), atMillis)));
    }

    /** Notes a plan in the ledger, or takes it back, so that whoever is the primary then knows of it. */
    private Answer note(Request request, Optional<ClusterRecord.Plan> plan) throws InterruptedException {
        return database(request, (seat, duty) -> {
            LOG.info("{}: plan of a switchover asked: {}", seat.name(), plan);
            if (!duty.plan(plan)) {
                return Answer.error(
                        409,
                        node.config().node() + " is not the primary (expected: ask "
                                + (duty.record().primary().isEmpty()
                                        ? "again when there is one"
                                        : duty.record().primary())
                                + ")");
            }
            return Answer.json(
                    200,
                    fields(
                            "node", node.config().node().value(),
                            "to", plan.map(ClusterRecord.Plan::to).orElse(null),
                            "atMillis", plan.map(ClusterRecord.Plan::atMillis).orElse(null)));
        });
    }

    private Answer reinit(Request request) throws InterruptedException {
        return database(request, (seat, duty) -> {
            LOG.info("{}: a new copy of the data asked", seat.name());
            return duty.reinitialise()
                    .map(why -> Answer.error(409, why))
                    .orElseGet(() ->
                            Answer.json(200, fields("node", node.config().node().value())));
        });
    }
}
