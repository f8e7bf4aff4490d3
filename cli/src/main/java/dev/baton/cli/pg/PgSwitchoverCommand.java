package dev.baton.cli.pg;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.command.Steering;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves the primary to another node, by plan. */
@Command(
        name = "switchover",
        description = {
            "Stops the primary in order, once the other node's standby has everything, and promotes that one.",
            "With --at the ledger keeps the plan: whoever is the primary then carries it out, once."
        },
        footer = {
            "%nExamples:",
            "  baton pg switchover --to n2",
            "  baton pg switchover --to n2 --at 02:30",
            "  baton pg switchover --cancel"
        })
final class PgSwitchoverCommand implements Callable<Integer> {

    /** Until the target's standby has everything. */
    private static final Duration PREPARATION = Duration.ofSeconds(12);

    @Mixin
    private final Steering steering = new Steering();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--to", paramLabel = "NODE", description = "The node whose server shall be the primary.")
    private Optional<String> to = Optional.empty();

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "8s",
            converter = Durations.class,
            description = "How long the offer stands (default: 8s).")
    private Duration within = Duration.ofSeconds(8);

    @Option(names = "--at", paramLabel = "TIME", description = "Not now but then, such as 02:30 or 2030-01-31T02:30Z.")
    private Optional<String> at = Optional.empty();

    @Option(names = "--cancel", description = "Take the plan of an earlier --at back.")
    private boolean cancel;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (cancel == to.isPresent()) {
            throw new CliFailure(Exit.USAGE, "--to, --cancel: (expected: one of both)");
        }
        Optional<NodeAddress> holder = Optional.empty();
        if (!steering.isByAddress()) {
            if (to.isPresent()) {
                steering.target().node(to.get());
            }
            holder = Optional.of(steering.target().answering().getFirst());
        }
        if (cancel) {
            output.print(steering.post(holder, "/switchover/cancel", PREPARATION), List.of("no switchover is planned"));
        } else if (at.isPresent()) {
            plan(holder, to.orElseThrow(), moment(at.get()));
        } else {
            now(holder, to.orElseThrow());
        }
        return Exit.OK.number();
    }

    private static Instant moment(String text) throws CliFailure {
        try {
            return Moment.parse(text, ZonedDateTime.now(ZoneId.systemDefault()));
        } catch (IllegalArgumentException e) {
            throw new CliFailure(Exit.USAGE, "--at: " + e.getMessage());
        }
    }

    private void plan(Optional<NodeAddress> holder, String node, Instant moment)
            throws CliFailure, InterruptedException {
        JsonNode done = steering.post(
                holder,
                "/switchover/plan?to=" + Steering.encoded(node) + "&atMillis=" + moment.toEpochMilli(),
                PREPARATION);
        output.print(done, List.of("planned: " + node + " becomes the primary at " + moment));
    }

    private void now(Optional<NodeAddress> holder, String node) throws CliFailure, InterruptedException {
        JsonNode done = steering.post(
                holder,
                "/switchover?to=" + Steering.encoded(node) + "&validMillis=" + within.toMillis(),
                within.plus(PREPARATION));
        output.print(
                done,
                List.of(done.path("to").asText() + " is the primary instead of "
                        + done.path("from").asText() + ", epoch "
                        + done.path("epoch").asLong() + ", after "
                        + Durations.readable(done.path("millis").asLong())));
    }
}
