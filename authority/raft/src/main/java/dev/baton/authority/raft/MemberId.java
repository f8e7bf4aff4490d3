package dev.baton.authority.raft;

import dev.baton.core.NodeId;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * The name of a member inside the Raft group: the node's, or the node's and a mark that nobody has used before.
 *
 * <p>A node that has lost its disk has forgotten its votes. Raft must never take it for the member it was, so it comes
 * back as {@code <node>.<mark>}.
 */
record MemberId(String value) {

    private static final char SEPARATOR = '.'; // no node name contains it

    static MemberId first(NodeId node) {
        return new MemberId(node.value());
    }

    static MemberId again(NodeId node) {
        long mark = ThreadLocalRandom.current().nextLong(1L << 40);
        return new MemberId(node.value() + SEPARATOR + Long.toString(mark, 36));
    }

    static MemberId of(RaftPeerId peer) {
        return new MemberId(peer.toString());
    }

    NodeId node() {
        int end = value.indexOf(SEPARATOR);
        return new NodeId(end < 0 ? value : value.substring(0, end));
    }

    RaftPeerId peer() {
        return RaftPeerId.valueOf(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
