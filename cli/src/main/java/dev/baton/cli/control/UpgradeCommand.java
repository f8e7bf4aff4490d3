package dev.baton.cli.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeProcess;
import dev.baton.cli.cluster.Reply;
import dev.baton.cli.control.Gates.Sight;
import dev.baton.cli.control.Gates.Standing;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Restarts the nodes of an {@code up} cluster one at a time, so that each comes back as the version that is installed now.
 *
 * <p>Those who follow come first. The holder hands its seat over before it is stopped, to a node that was restarted before;
 * between the steps are {@link Gates}: a step that would leave the cluster with less than it can spare is not begun.
 */
@Command(
        name = "upgrade",
        description = {
            "Restarts the nodes of an up cluster one at a time, the holder last and after a handoff.",
            "Before each step every node must be up, ready and in sync, and blocks must come evenly; otherwise it stops"
                    + " and says why.",
            "At the end it tells how many slots were made and missed: one is missed when more than one and a half"
                    + " intervals pass without a block."
        },
        footer = {"%nExamples:", "  baton upgrade --dry-run", "  baton upgrade"})
public final class UpgradeCommand implements Callable<Integer> {

    private static final Duration HANDOFF = Duration.ofSeconds(10);
    private static final int MOST_REFUSALS = 3;

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

    private final ArrayNode handoffs = Json.object().putArray("handoffs");
    private int refusals;

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        if (target.isByUrl()) {
            throw new CliFailure(
                    Exit.USAGE, "--url (expected: --data of an up cluster, whose nodes are restarted here)");
        }
        Gates gates = new Gates(target, within);
        Sight begin = gates.pass("all nodes to be up, ready and level", sight -> true);
        if (dryRun) {
            List<String> order = order(begin);
            List<String> words = new ArrayList<>();
            order.forEach(node -> words.add((begin.leads(node) ? "hand the seat over, then restart " : "restart ")
                    + node + ", wait until it is ready and level, and blocks come evenly"));
            words.add("all nodes are up, ready and level: it could begin");
            output.print(report(order), words);
            return Exit.OK.number();
        }
        List<String> restarted = restartAll(gates, order(begin));
        Sight end = gates.settle();
        ObjectNode json = report(restarted);
        json.set("handoffs", handoffs);
        String counted = count(begin, end, json);
        output.print(
                json,
                List.of("restarted " + String.join(", ", restarted) + " with " + handoffs.size() + " handoffs"
                        + counted));
        return Exit.OK.number();
    }

    /** Those who follow first, so that the seat moves once, and to a node that has been restarted already. */
    private static List<String> order(Sight now) {
        return now.nodes().stream()
                .sorted(Comparator.comparing(Standing::leads).thenComparing(Standing::node))
                .map(Standing::node)
                .toList();
    }

    private static ObjectNode report(List<String> order) {
        ObjectNode json = Json.object();
        ArrayNode nodes = json.putArray("order");
        order.forEach(nodes::add);
        return json;
    }

    private String count(Sight begin, Sight end, ObjectNode json) throws CliFailure, InterruptedException {
        Optional<Standing> holder = end.leader().filter(Standing::makesBlocks);
        if (holder.isEmpty()) {
            return "";
        }
        Slots slots = new Slots(begin.height(), holder.get().intervalMillis());
        slots.measure(target, end.height());
        json.put("intervalMillis", slots.intervalMillis())
                .put("slotsMade", slots.made())
                .put("missedSlots", slots.missed())
                .put("worstGapMillis", slots.worstGapMillis());
        return "; of the slots of " + slots.intervalMillis() + " ms meanwhile " + slots.made() + " were made and "
                + slots.missed() + " missed, worst gap " + slots.worstGapMillis() + " ms";
    }

    /** Who holds the seat may change meanwhile, so each step looks anew. */
    private List<String> restartAll(Gates gates, List<String> order) throws CliFailure, InterruptedException {
        List<String> left = new ArrayList<>(order);
        List<String> restarted = new ArrayList<>();
        while (!left.isEmpty()) {
            Sight now = gates.settle();
            String next =
                    left.stream().filter(node -> !now.leads(node)).findFirst().orElse(left.getFirst());
            if (now.leads(next)) {
                handOver(gates, now, next, restarted);
            } else {
                restart(gates, now, next);
                left.remove(next);
                restarted.add(next);
            }
        }
        return restarted;
    }

    private void restart(Gates gates, Sight before, String node) throws CliFailure, InterruptedException {
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
        String old = before.incarnation(node);
        gates.pass(
                node + " to come back as a new process",
                now -> !now.incarnation(node).equals(old));
        output.remark(node + " is back, ready and level");
    }

    /** A refusal changes nothing, so it is tried again a few times, with the cluster calm in between. */
    private void handOver(Gates gates, Sight before, String node, List<String> restarted)
            throws CliFailure, InterruptedException {
        String heir = Stream.concat(restarted.stream(), before.nodes().stream().map(Standing::node))
                .filter(other -> !other.equals(node))
                .findFirst()
                .orElseThrow(() -> new CliFailure(
                        Exit.REFUSED, node + " is alone (expected: another node that can hold the seat meanwhile)"));
        output.remark("handing the seat from " + node + " to " + heir);
        Reply reply = target.client()
                .post(
                        target.node(node).admin().orElseThrow(),
                        "/handoff?to=" + URLEncoder.encode(heir, StandardCharsets.UTF_8),
                        new byte[0],
                        HANDOFF);
        if (reply instanceof Reply.Refused refused && ++refusals < MOST_REFUSALS) {
            output.remark("refused: " + refused.error() + "; trying again");
            return;
        }
        handoffs.add(ClusterTarget.expect(reply));
        gates.pass("another node than " + node + " to lead", now -> !now.leads(node));
    }
}
