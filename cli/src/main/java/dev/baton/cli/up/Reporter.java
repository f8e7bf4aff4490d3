package dev.baton.cli.up;

import dev.baton.cli.cluster.NodeView;

/** Tells whoever started {@code up} what happens. Thread-safe. */
interface Reporter extends AutoCloseable {

    /** Something was seen for the first time. */
    void seen(Seen news);

    /** A node stands differently than before. */
    void standing(NodeView before, NodeView now);

    /** Something else that people want to know. */
    void event(String what);

    /** A command to try. It is to be copied, so it must stay in sight, and whole. */
    void hint(String command);

    /** The last word. */
    void verdict(Tally tally);

    @Override
    void close();
}
