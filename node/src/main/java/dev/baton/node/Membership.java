package dev.baton.node;

import dev.baton.core.NodeId;
import java.util.Map;

/** Who belongs to an engine that runs inside the nodes. Calls block; a refusal is an exception that says why. */
public interface Membership {

    Map<NodeId, String> members() throws Exception;

    void remove(NodeId node) throws Exception;
}
