package dev.baton.bench.postgres;

/** A way in which the primary changes. */
public enum Change {
    /** Its node and its server are killed. */
    KILLED("killed", true),
    /** Its machine is cut off: nothing comes from it or goes to it, its engine's traffic included. */
    UNPLUGGED("unplugged", true),
    /** Its server's processes are stopped where they are. */
    FROZEN("frozen", true),
    /** Another node takes over, by plan. */
    SWITCHOVER("switchover", false);

    private final String word;
    private final boolean unplanned;

    Change(String word, boolean unplanned) {
        this.word = word;
        this.unplanned = unplanned;
    }

    public String word() {
        return word;
    }

    public boolean isUnplanned() {
        return unplanned;
    }
}
