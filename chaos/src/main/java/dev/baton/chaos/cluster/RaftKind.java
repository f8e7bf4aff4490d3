package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.util.List;

/** Raft, inside the nodes. */
final class RaftKind implements EngineKind {

    @Override
    public String name() {
        return "raft";
    }

    @Override
    public int servers() {
        return 0;
    }

    @Override
    public String settings(Layout layout, String start) {
        StringBuilder yaml = new StringBuilder("  start: " + start + "\n  peers:\n");
        for (NodePlaces node : layout.nodes()) {
            yaml.append("    ")
                    .append(node.name())
                    .append(": ")
                    .append(node.raft().shownText())
                    .append('\n');
        }
        return yaml.toString();
    }

    @Override
    public List<String> prepare(Layout layout, EnginePlaces server, Path folder) {
        throw new IllegalStateException("Raft has no servers of its own");
    }

    @Override
    public List<Entry> read(String address, SeatId seat) {
        throw new IllegalStateException("Raft has no servers of its own");
    }
}
