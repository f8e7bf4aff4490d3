package dev.baton.chaos.cluster;

import java.util.Map;

/**
 * What the file of a node may have to say of a duty.
 *
 * @param listen where the duty itself is to listen, {@code host:port}
 * @param publicKeys what each node signs with
 * @param resources where the duty's own servers are reached, by name, and what the node has beside it
 */
public record NodeFacts(String node, String listen, Map<String, String> publicKeys, Map<String, String> resources) {

    public NodeFacts {
        publicKeys = Map.copyOf(publicKeys);
        resources = Map.copyOf(resources);
    }
}
