package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * All that the harness has to know of an authority to run it: one class for each, and one line in {@link EngineKinds}. Which
 * faults it can bear is told by {@link dev.baton.chaos.plan.Applicability}.
 */
interface EngineKind {

    String name();

    /** How many servers it has; 0 if it lives inside the nodes. */
    int servers();

    /**
     * What follows {@code authority:} and its kind in the file of a node, two blanks in front of each line.
     *
     * @param start how a member of a cluster starts, where the engine has such: {@code bootstrap} or {@code resume}
     */
    String settings(Layout layout, String start);

    /** Writes the configuration of a server into its folder, and tells how it is started; the last word is the file. */
    List<String> prepare(Layout layout, EnginePlaces server, Path folder) throws IOException;

    /** Whether a seat has to be founded before any node asks for it. */
    default boolean needsFounding() {
        return false;
    }

    /** Everything that a server holds, its uncommitted tip included, read from it without the product's way of asking. */
    List<Entry> read(String address, SeatId seat) throws IOException, InterruptedException;

    /** The servers' addresses as a list under some key. */
    static String servers(Layout layout) {
        StringBuilder yaml = new StringBuilder();
        layout.engines()
                .forEach(engine -> yaml.append("    - \"")
                        .append(engine.client().shownText())
                        .append("\"\n"));
        return yaml.toString();
    }
}
