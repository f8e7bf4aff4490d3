package dev.baton.core;

/** The configured name of a node. It outlives the process; see {@link Incarnation} for what does not. */
public record NodeId(String value) implements Comparable<NodeId> {

    public NodeId {
        Names.checked("node", value);
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
