package dev.baton.chaos.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Deals the kinds like cards, so that each comes up about as often as the others. */
final class Deck {

    /** While every node is restarted in turn, nothing else is done to the processes: it would be the same twice. */
    private static final Set<FaultKind> NOT_WHILE_RESTARTING = Set.of(
            FaultKind.KILL,
            FaultKind.PAUSE,
            FaultKind.CLOCK,
            FaultKind.DISK_FULL,
            FaultKind.SLOW_FSYNC,
            FaultKind.HANDOFF);

    /** What strikes one node's process: each needs a node of its own. */
    private static final Set<FaultKind> ON_A_PROCESS =
            Set.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.CLOCK, FaultKind.DISK_FULL, FaultKind.SLOW_FSYNC);

    private final List<FaultKind> kinds;
    private final int mostProcesses;
    private final Dice dice;
    private final List<FaultKind> left = new ArrayList<>();

    Deck(List<FaultKind> kinds, int nodes, Dice dice) {
        this.kinds = kinds;
        this.mostProcesses = Math.min(2, nodes);
        this.dice = dice;
    }

    /** So many different kinds that can go together; fewer if there are not so many. */
    List<FaultKind> draw(int count) {
        List<FaultKind> drawn = new ArrayList<>();
        takeInto(drawn, count);
        if (drawn.size() < count) {
            left.addAll(dice.shuffled(kinds));
            takeInto(drawn, count);
        }
        return drawn;
    }

    private void takeInto(List<FaultKind> drawn, int count) {
        for (int i = 0; i < left.size() && drawn.size() < count; ) {
            if (goesWith(left.get(i), drawn)) {
                drawn.add(left.remove(i));
            } else {
                i++;
            }
        }
    }

    private boolean goesWith(FaultKind kind, List<FaultKind> others) {
        if (others.contains(kind)) {
            return false;
        }
        if (ON_A_PROCESS.contains(kind)
                && others.stream().filter(ON_A_PROCESS::contains).count() == mostProcesses) {
            return false;
        }
        if (kind == FaultKind.ROLLING_RESTART) {
            return others.stream().noneMatch(NOT_WHILE_RESTARTING::contains);
        }
        return !(NOT_WHILE_RESTARTING.contains(kind) && others.contains(FaultKind.ROLLING_RESTART));
    }
}
