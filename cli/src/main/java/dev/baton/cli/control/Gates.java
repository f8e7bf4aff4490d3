package dev.baton.cli.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Lets an upgrade go on only when the cluster could do without any one of its nodes, and has worked evenly for a while. */
final class Gates {

    private static final long MOST_BEHIND = 5;
    private static final long BETWEEN_LOOKS_MILLIS = 100;

    /** So many entries must follow each other evenly: by then a node that was restarted is warm, and the machine calm. */
    private static final long STEADY = 3;

    private final ClusterTarget target;
    private final Duration within;

    Gates(ClusterTarget target, Duration within) {
        this.target = target;
        this.within = within;
    }

    /** One node as the gates see it. */
    record Standing(
            String node,
            boolean leads,
            boolean ready,
            long height,
            long epoch,
            long headAgeMillis,
            long intervalMillis,
            boolean makesBlocks,
            String incarnation,
            String problem) {}

    /** All nodes at one moment. */
    record Sight(List<Standing> nodes) {

        Optional<Standing> leader() {
            return nodes.stream().filter(Standing::leads).findFirst();
        }

        boolean leads(String node) {
            return leader().filter(found -> found.node().equals(node)).isPresent();
        }

        String incarnation(String node) {
            return nodes.stream()
                    .filter(one -> one.node().equals(node))
                    .map(Standing::incarnation)
                    .findFirst()
                    .orElse("");
        }

        long height() {
            return nodes.stream().mapToLong(Standing::height).max().orElse(0);
        }

        private long epoch() {
            return leader().map(Standing::epoch).orElse(0L);
        }

        /** Whether the holder's last entry is no older than half an interval more than it should ever be. */
        private boolean isInTime() {
            return leader().filter(holder -> holder.headAgeMillis() * 2 <= holder.intervalMillis() * 3)
                    .isPresent();
        }

        /** Why the cluster could not do without one of them now; empty if it could. */
        private String objection() {
            for (Standing node : nodes) {
                if (node.incarnation().isEmpty()) {
                    return node.node() + " does not answer: " + node.problem();
                }
                if (!node.ready()) {
                    return node.node() + " is not ready: " + node.problem();
                }
                if (height() - node.height() > MOST_BEHIND) {
                    return node.node() + " is " + (height() - node.height()) + " entries behind";
                }
            }
            return nodes.stream().filter(Standing::leads).count() == 1 ? "" : "no single node leads";
        }
    }

    /** Waits until every node is up, ready and level, and something else holds, too. */
    Sight pass(String what, Predicate<Sight> also) throws CliFailure, InterruptedException {
        return pass(what, also, System.nanoTime() + within.toNanos());
    }

    private Sight pass(String what, Predicate<Sight> also, long giveUpNanos) throws CliFailure, InterruptedException {
        while (true) {
            Sight now = look();
            String objection = now.objection();
            if (objection.isEmpty() && also.test(now)) {
                return now;
            }
            if (System.nanoTime() - giveUpNanos > 0) {
                throw new CliFailure(
                        Exit.REFUSED,
                        "waited " + within + " for " + what + (objection.isEmpty() ? "" : ": " + objection)
                                + "; nothing more was restarted");
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        }
    }

    /** Waits until one holder has made some entries in a row, each in its time, and every node has followed them. */
    Sight settle() throws CliFailure, InterruptedException {
        String what = "one holder to make " + STEADY + " entries in a row in time";
        long giveUpNanos = System.nanoTime() + within.toNanos();
        Sight begin = pass(what, Sight::isInTime, giveUpNanos);
        while (true) {
            Sight now = pass(what, sight -> true, giveUpNanos);
            if (!now.isInTime() || now.epoch() != begin.epoch()) {
                begin = pass(what, Sight::isInTime, giveUpNanos);
            } else if (now.height() - begin.height() >= STEADY) {
                return now;
            } else if (System.nanoTime() - giveUpNanos > 0) {
                throw new CliFailure(
                        Exit.REFUSED, "waited " + within + " for " + what + "; nothing more was restarted");
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        }
    }

    private Sight look() throws CliFailure, InterruptedException {
        List<Standing> found = new ArrayList<>();
        for (var entry : target.askAll("/status").entrySet()) {
            String name = entry.getKey().node();
            found.add(entry.getValue()
                    .answer()
                    .map(status -> standing(name, status))
                    .orElseGet(() -> new Standing(
                            name, false, false, 0, 0, 0, 0, false, "", ClusterTarget.problem(entry.getValue()))));
        }
        return new Sight(found);
    }

    private static Standing standing(String node, JsonNode status) {
        JsonNode seat = status.path("seats").path(0);
        return new Standing(
                node,
                seat.path("standing").asText().equals("LEADER"),
                seat.path("ready").asBoolean(),
                seat.path("applied").asLong(),
                seat.path("epoch").asLong(),
                seat.path("headAgeMillis").asLong(),
                seat.path("intervalMillis").asLong(),
                seat.path("duty").asText().equals("sequencer"),
                status.path("incarnation").asText(),
                seat.path("notReady").asText(""));
    }
}
