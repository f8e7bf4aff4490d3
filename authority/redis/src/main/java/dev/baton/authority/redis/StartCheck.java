package dev.baton.authority.redis;

import dev.baton.authority.redis.lettuce.NodeFacts;
import dev.baton.authority.redis.lettuce.NodeReport;
import dev.baton.authority.redis.lettuce.SeatLook;
import dev.baton.authority.redis.lettuce.Survey;
import dev.baton.authority.redis.script.SeatKeys;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is wrong with the Redis nodes, all of it at once, before anything starts. It only looks: nothing is written.
 *
 * @param faults what forbids a start
 * @param warnings what may start and should be known
 * @param lacksOnlyNodes whether nothing forbids a start but that too few nodes can be reached, which may pass by itself
 */
public record StartCheck(List<Fault> faults, List<String> warnings, boolean lacksOnlyNodes) {

    public StartCheck {
        faults = List.copyOf(faults);
        warnings = List.copyOf(warnings);
    }

    /** Blocks for a few seconds at most. */
    public static StartCheck of(RedisSettings settings, Collection<SeatId> seats, String prefix) {
        return judge(settings, seats, prefix, Survey.of(settings, seats));
    }

    static StartCheck judge(RedisSettings settings, Collection<SeatId> seats, String prefix, List<NodeReport> reports) {
        StartCheck check = nodes(settings, prefix, reports);
        List<Fault> faults = new ArrayList<>(check.faults);
        List<String> warnings = new ArrayList<>(check.warnings);
        List<NodeReport.Reached> reached = reached(reports);
        for (SeatId seat : seats) {
            strangeKeys(prefix, seat, reached, faults);
            if (reached.size() >= settings.majority()) {
                foundedSomewhere(prefix, seat, reached, faults, warnings);
            }
        }
        return new StartCheck(faults, warnings, check.lacksOnlyNodes && faults.size() == check.faults.size());
    }

    /** The nodes themselves, whatever they keep. */
    static StartCheck nodes(RedisSettings settings, String prefix, List<NodeReport> reports) {
        List<Fault> faults = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        boolean enough = reached(reports).size() >= settings.majority();
        int away = 0;
        for (NodeReport report : reports) {
            String key = prefix + "nodes " + report.address();
            switch (report) {
                case NodeReport.Unreachable node -> {
                    away += node.isRefusedLogin() ? 0 : 1;
                    unreachable(prefix, key, node, enough, faults, warnings);
                }
                case NodeReport.Reached node -> {
                    factFaults(key, node.facts(), faults);
                    factWarnings(node.address(), node.facts(), warnings);
                }
            }
        }
        return new StartCheck(faults, warnings, !enough && faults.size() == away);
    }

    static List<NodeReport.Reached> reached(List<NodeReport> reports) {
        return reports.stream()
                .filter(NodeReport.Reached.class::isInstance)
                .map(NodeReport.Reached.class::cast)
                .toList();
    }

    private static void unreachable(
            String prefix,
            String key,
            NodeReport.Unreachable node,
            boolean enough,
            List<Fault> faults,
            List<String> warnings) {
        if (node.isRefusedLogin()) {
            faults.add(new Fault(key, node.why(), "the " + prefix + "user and " + prefix + "password that it accepts"));
        } else if (enough) {
            warnings.add(node.address() + " cannot be reached: " + node.why() + "; the other nodes are enough");
        } else {
            faults.add(new Fault(
                    key,
                    node.why(),
                    "a majority of the nodes to be reachable: start this Redis, or correct its address"));
        }
    }

    private static void factFaults(String key, NodeFacts facts, List<Fault> faults) {
        if (facts.replica()) {
            faults.add(new Fault(
                    key,
                    "a read-only replica",
                    "a Redis of its own: name its master, or run REPLICAOF NO ONE there. Replication and failover"
                            + " of Redis lose what was acknowledged"));
        }
        if (facts.isTooOld()) {
            faults.add(new Fault(key, "Redis " + facts.version(), NodeFacts.OLDEST_VERSION + " or later"));
        }
        facts.config().ifPresent(config -> {
            if (!config.maxmemoryPolicy().equals("noeviction")) {
                faults.add(new Fault(
                        key,
                        "maxmemory-policy " + config.maxmemoryPolicy(),
                        "noeviction, or it may forget a promise: set it in redis.conf"));
            }
            if (!config.appendonly().equals("yes")) {
                faults.add(new Fault(
                        key,
                        "appendonly " + config.appendonly(),
                        "yes, or a restart forgets the ledger: set it in redis.conf"));
            }
        });
    }

    private static void factWarnings(String address, NodeFacts facts, List<String> warnings) {
        if (facts.config().isEmpty()) {
            warnings.add(address + " does not let us see its configuration: it must have appendonly yes,"
                    + " maxmemory-policy noeviction and notify-keyspace-events Exg; after each restart it counts as"
                    + " a node that may have forgotten something");
        } else if (!facts.config().get().appendfsync().equals("always")) {
            warnings.add(address + " has appendfsync " + facts.config().get().appendfsync()
                    + ": after each restart it has to be replaced as a member, which the holder does; with always it"
                    + " goes on at once");
        }
    }

    private static void strangeKeys(String prefix, SeatId seat, List<NodeReport.Reached> reached, List<Fault> faults) {
        for (NodeReport.Reached node : reached) {
            if (node.seats().get(seat) instanceof SeatLook.Strange strange) {
                strange.what()
                        .forEach(what -> faults.add(new Fault(
                                prefix + "nodes " + node.address(),
                                what,
                                "what Baton has written there: move the other program's keys away, or restore them"
                                        + " from this node's own files")));
            }
        }
    }

    private static void foundedSomewhere(
            String prefix, SeatId seat, List<NodeReport.Reached> reached, List<Fault> faults, List<String> warnings) {
        List<String> absent = reached.stream()
                .filter(node -> node.seats().get(seat) instanceof SeatLook.Absent)
                .map(NodeReport.Reached::address)
                .toList();
        if (absent.size() < reached.size()) {
            absent.forEach(address -> warnings.add(address + " keeps nothing of " + SeatKeys.named(seat)
                    + ": it was replaced or has lost its data; the holder makes it a new member"));
            return;
        }
        Set<String> others = new TreeSet<>();
        reached.forEach(node -> others.addAll(node.kept()));
        String key = prefix + "nodes";
        String value = SeatKeys.named(seat) + " is kept nowhere";
        if (others.isEmpty()) {
            faults.add(new Fault(key, value, "a seat that was founded: run baton init"));
        } else {
            faults.add(new Fault(
                    key,
                    value,
                    "one of " + others + ", which these nodes keep: correct the cluster's name; or run baton init,"
                            + " if this is a new one"));
        }
    }
}
