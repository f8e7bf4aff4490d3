package dev.baton.chaos.history;

import java.util.List;

/**
 * What a run was made of, as a reader needs it to repeat the run.
 *
 * @param nodes the names of the nodes, in the order of their lanes
 * @param engines the names of the engine's servers; empty if the engine lives inside the nodes
 * @param lastingNanos how long the workload runs, the quiet tail included
 * @param commit what was built
 * @param machine what it ran on, for people to read
 * @param command what repeats the run
 * @param startedAt the wall clock at the beginning, for people to read
 */
public record Setting(
        long seed,
        String authority,
        String duty,
        List<String> nodes,
        List<String> engines,
        long lastingNanos,
        String commit,
        String machine,
        String command,
        String startedAt) {

    public Setting {
        nodes = List.copyOf(nodes);
        engines = List.copyOf(engines);
    }
}
