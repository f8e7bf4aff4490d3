package dev.baton.chaos.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses whom a fault strikes, and how hard.
 *
 * <p>Engine servers that may lose data are chosen once for the whole run, a minority of them: whatever else happens, a
 * majority keeps what it was told. The leader is struck more often than others, because it has more to do wrong.
 */
final class Targets {

    private final Topology topology;
    private final Dice dice;
    private final List<String> mayForget;
    /** Whose process is struck in this round; the same process is not struck twice. */
    private final Set<String> struck = new HashSet<>();

    /** Whom a fault strikes, and how. */
    record Strike(List<String> targets, Map<String, String> parameters) {
        static Strike on(String target) {
            return new Strike(List.of(target), Map.of());
        }
    }

    Targets(Topology topology, Dice dice) {
        this.topology = topology;
        this.dice = dice;
        int minority = Topology.minorityOf(topology.engines().size());
        this.mayForget = dice.shuffled(topology.engines()).subList(0, Math.max(0, minority));
    }

    void nextRound() {
        struck.clear();
    }

    Strike of(FaultKind kind) {
        return switch (kind) {
            case KILL, PAUSE -> Strike.on(process(nodeOrCompanion()));
            // Within the bound on clock rates that the product asks for: beyond it nothing is promised.
            case CLOCK ->
                new Strike(
                        List.of(process(dice.pick(topology.nodes()))),
                        Map.of("offsetMillis", number(-5000, 5000), "ratePermille", number(993, 1007)));
            case PARTITION -> partition();
            case LATENCY -> {
                long delayMillis = dice.between(5, 400);
                yield link(Map.of("delayMillis", Long.toString(delayMillis), "jitterMillis", number(0, delayMillis)));
            }
            case LOSS -> link(Map.of("stallPercent", number(5, 30), "resetPercent", number(0, 5)));
            case THROTTLE -> link(Map.of("bytesPerSecond", number(4_000, 256_000)));
            case CORRUPT -> link(Map.of("oneInBytes", number(500, 20_000)));
            case TRUNCATE -> link(Map.of("afterBytes", number(100, 20_000)));
            case HALF_OPEN -> link(Map.of());
            // Where a restart is a loss, it too strikes none but the minority.
            case ENGINE_RESTART ->
                Strike.on(topology.forgetful() ? forgetful() : process(dice.pick(topology.engines())));
            case ENGINE_ROLLBACK -> new Strike(List.of(forgetful()), Map.of("lostMillis", "1000"));
            case ENGINE_EMPTY -> Strike.on(forgetful());
            case DISK_FULL -> Strike.on(topology.forgetful() ? forgetful() : process(dice.pick(topology.storage())));
            case SLOW_FSYNC ->
                new Strike(List.of(process(dice.pick(topology.storage()))), Map.of("delayMillis", number(50, 500)));
            case HANDOFF, ROLLING_RESTART -> new Strike(List.of(), Map.of());
            case CLIENT_CUT, FALSE_EVIDENCE -> Strike.on(PlannedFault.LEADER);
        };
    }

    private String leaderOrNode() {
        return dice.oneIn(2) ? PlannedFault.LEADER : dice.pick(topology.nodes());
    }

    /** What nodes have beside them is struck as often as they are. */
    private String nodeOrCompanion() {
        if (topology.companions().isEmpty() || dice.oneIn(2)) {
            return leaderOrNode();
        }
        return dice.oneIn(2) ? PlannedFault.COMPANION : dice.pick(topology.companions());
    }

    /** The wished process, or one that was not struck in this round yet. */
    private String process(String wished) {
        if (struck.add(wished)) {
            return wished;
        }
        List<String> others = topology.alike(wished).stream()
                .filter(each -> !struck.contains(each))
                .toList();
        String other = others.isEmpty() ? wished : dice.pick(others);
        struck.add(other);
        return other;
    }

    private String forgetful() {
        String server = dice.pick(mayForget);
        struck.add(server);
        return server;
    }

    private Strike link(Map<String, String> more) {
        Link link = dice.pick(List.copyOf(topology.links()));
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put("link", link.name());
        String target = link == Link.ENGINE_PEER ? dice.pick(topology.engines()) : leaderOrNode();
        return new Strike(List.of(target), parameters);
    }

    /** The leader, one node or the majority, one way or both; of the engine's servers half of the time, if it has any. */
    private Strike partition() {
        Map<String, String> parameters = Map.of("way", dice.pick(List.of("both", "both", "in", "out")));
        boolean ofEngines = !topology.engines().isEmpty() && (topology.nodes().size() < 2 || dice.oneIn(2));
        if (!ofEngines && dice.oneIn(2)) {
            return new Strike(List.of(PlannedFault.LEADER), parameters);
        }
        List<String> side = ofEngines ? topology.engines() : topology.nodes();
        int count = dice.oneIn(4) ? side.size() / 2 + 1 : 1;
        return new Strike(
                dice.shuffled(side).subList(0, count).stream().sorted().toList(), parameters);
    }

    private String number(long least, long most) {
        return Long.toString(dice.between(least, most));
    }
}
