package dev.baton.core;

/** One holding of a seat. */
public record Term(Epoch epoch, Holder holder) {

    public Term {
        if (epoch.equals(Epoch.NONE)) {
            throw new IllegalArgumentException("term of " + holder + ": epoch 0 (expected: 1 or more)");
        }
    }

    public NodeId node() {
        return holder.node();
    }

    @Override
    public String toString() {
        return epoch + ":" + holder.node();
    }
}
