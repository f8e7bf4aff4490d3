package dev.baton.core;

/** Who may hold a seat: a node, in one incarnation of its process. */
public record Holder(NodeId node, Incarnation incarnation) {

    @Override
    public String toString() {
        return node + "#" + incarnation;
    }
}
