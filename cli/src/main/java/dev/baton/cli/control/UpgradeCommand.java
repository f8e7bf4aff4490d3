package dev.baton.cli.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import dev.baton.cli.cluster.NodeProcess;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Restarts the nodes of an {@code up} cluster one at a time, so that each comes back as the version that is installed now.
 *
 * <p>Those who follow come first. The holder hands its seat over before it is stopped, and before each step all nodes must
 * be up, ready and level: a step that would leave the cluster with less is not begun.
 */
@Command(
        name = "upgrade",
        description = {
            "Restarts the nodes of an up cluster one at a time, the holder last and after a handoff.",
            "Before each step every node must be up, ready and in sync; otherwise it stops and says why."
        },
        footer = {"%nExamples:", "  baton upgrade --dry-run", "  baton upgrade"})
public final class UpgradeCommand implements Callable<Integer> {

    private static final Duration HANDOFF = Duration.ofSeconds(10);
    private static final long MOST_BEHIND = 5;
    private static final long BETWEEN_LOOKS_MILLIS = 100;

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Option(names = "--dry-run", description = "Only say what would be done, and whether it could begin.")
    private boolean dryRun;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = Durations.class,
            description = "How long to wait at each gate (default: 60s).")
    private Duration within = Duration.ofSeconds(60);

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (target.isByUrl()) {
            throw new CliFailure(
                    Exit.USAGE, "--url (expected: --data of an up cluster, whose nodes are restarted here)");
        }
        List<Standing> now = gate();
        List<String> order = now.stream()
                .sorted(Comparator.comparing(Standing::leads).thenComparing(Standing::node))
                .map(Standing::node)
                .toList();
        if (dryRun) {
            List<String> words = new ArrayList<>();
            order.forEach(node -> words.add((leads(now, node) ? "hand the seat over, then restart " : "restart ") + node
                    + ", wait until it is" + " ready and level"));
            words.add("all nodes are up, ready and level: it could begin");
            output.print(plan(order), words);
            return Exit.OK.number();
        }
        Slots slots = new Slots(now.stream().mapToLong(Standing::height).max().orElse(0));
        for (String node : order) {
            restart(node);
        }
        List<Standing> after = gate();
        slots.measure(target, after.getFirst().height());
        ObjectNode json = plan(order);
        json.put("blocks", slots.blocks())
                .put("intervalMillis", slots.intervalMillis())
                .put("worstGapMillis", slots.worstGapMillis())
                .put("missedSlots", slots.missed());
        output.print(
                json,
                List.of("restarted " + String.join(", ", order) + "; " + slots.blocks()
                        + " blocks meanwhile, worst gap "
                        + slots.worstGapMillis() + " ms at one every " + slots.intervalMillis() + " ms, "
                        + slots.missed() + " missed slots"));
        return Exit.OK.number();
    }

    private static ObjectNode plan(List<String> order) {
        ObjectNode json = Json.object();
        ArrayNode nodes = json.putArray("order");
        order.forEach(nodes::add);
        return json;
    }

    private static boolean leads(List<Standing> standings, String node) {
        return standings.stream().anyMatch(one -> one.node().equals(node) && one.leads());
    }

    /** One node as the gates see it. */
    private record Standing(
            String node, boolean leads, boolean ready, long height, String incarnation, String problem) {}

    private void restart(String node) throws CliFailure, InterruptedException {
        List<Standing> before = gate();
        if (leads(before, node)) {
            handOver(before, node);
        }
        Path config = target.data().resolve(node).resolve("node.yaml");
        long pid = target.file().member(node).map(ClusterFile.Member::pid).orElse(0L);
        ProcessHandle process = NodeProcess.find(pid, config)
                .orElseThrow(() -> new CliFailure(
                        Exit.REFUSED,
                        node + " does not run as process " + pid + " (expected: baton up keeps it running)"));
        output.remark("restarting " + node + " (process " + pid + ")");
        if (!process.destroy()) {
            throw new CliFailure(Exit.REFUSED, "process " + pid + " of " + node + " cannot be stopped");
        }
        String old = incarnation(before, node);
        awaitGate(standings -> !incarnation(standings, node).equals(old), node + " to come back as a new process");
        output.remark(node + " is back, ready and level");
    }

    private static String incarnation(List<Standing> standings, String node) {
        return standings.stream()
                .filter(one -> one.node().equals(node))
                .map(Standing::incarnation)
                .findFirst()
                .orElse("");
    }

    private void handOver(List<Standing> before, String node) throws CliFailure, InterruptedException {
        String heir = before.stream()
                .filter(one -> !one.node().equals(node))
                .max(Comparator.comparingLong(Standing::height))
                .map(Standing::node)
                .orElseThrow(() -> new CliFailure(
                        Exit.REFUSED, node + " is alone (expected: another node that can hold the seat meanwhile)"));
        NodeAddress holder = target.node(node);
        output.remark("handing the seat from " + node + " to " + heir);
        ClusterTarget.expect(target.client()
                .post(
                        holder.admin().orElseThrow(),
                        "/handoff?to=" + URLEncoder.encode(heir, StandardCharsets.UTF_8),
                        new byte[0],
                        HANDOFF));
    }

    private List<Standing> gate() throws CliFailure, InterruptedException {
        return awaitGate(standings -> true, "all nodes to be up, ready and level");
    }

    private interface Condition {
        boolean holds(List<Standing> standings);
    }

    private List<Standing> awaitGate(Condition also, String what) throws CliFailure, InterruptedException {
        long giveUpNanos = System.nanoTime() + within.toNanos();
        while (true) {
            List<Standing> now = look();
            String objection = objection(now);
            if (objection.isEmpty() && also.holds(now)) {
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

    private List<Standing> look() throws CliFailure, InterruptedException {
        List<Standing> found = new ArrayList<>();
        for (var entry : target.askAll("/status").entrySet()) {
            found.add(entry.getValue()
                    .answer()
                    .map(status -> standing(entry.getKey().node(), status))
                    .orElseGet(() -> new Standing(
                            entry.getKey().node(), false, false, 0, "", ClusterTarget.problem(entry.getValue()))));
        }
        return found;
    }

    private static Standing standing(String node, JsonNode status) {
        JsonNode seat = status.path("seats").path(0);
        return new Standing(
                node,
                seat.path("standing").asText().equals("LEADER"),
                seat.path("ready").asBoolean(),
                seat.path("applied").asLong(),
                status.path("incarnation").asText(),
                seat.path("notReady").asText(""));
    }

    private static String objection(List<Standing> nodes) {
        long top = nodes.stream().mapToLong(Standing::height).max().orElse(0);
        for (Standing node : nodes) {
            if (node.incarnation().isEmpty()) {
                return node.node() + " does not answer: " + node.problem();
            }
            if (!node.ready()) {
                return node.node() + " is not ready: " + node.problem();
            }
            if (top - node.height() > MOST_BEHIND) {
                return node.node() + " is " + (top - node.height()) + " entries behind";
            }
        }
        return nodes.stream().filter(Standing::leads).count() == 1 ? "" : "no single node leads";
    }
}
