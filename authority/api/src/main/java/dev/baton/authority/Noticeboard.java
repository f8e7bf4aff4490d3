package dev.baton.authority;

import dev.baton.core.Bytes;
import dev.baton.core.NodeId;
import java.util.List;

/**
 * Where the nodes of a cluster tell of themselves, on an engine that has room for it. Apart from every seat and ledger:
 * nothing that is decided rests on it. Calls block for as long as the engine's request timeout.
 */
public interface Noticeboard {

    /**
     * What one node told of itself last.
     *
     * @param number grows with every notice, so that one that is still there can be told from one that is new
     */
    record Notice(long number, Bytes text) {}

    /** Puts up a notice in place of the node's last one; whether it got through. */
    boolean post(NodeId node, Bytes text);

    /** The notices that are up, one of each node at most; fewer, if the engine does not tell them all. */
    List<Notice> read();
}
