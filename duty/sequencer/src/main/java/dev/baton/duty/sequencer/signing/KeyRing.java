package dev.baton.duty.sequencer.signing;

import dev.baton.core.NodeId;
import java.security.PublicKey;
import java.util.Map;
import java.util.Optional;

/** The public keys of the nodes whose blocks are believed. Thread-safe, must not block. */
@FunctionalInterface
public interface KeyRing {

    Optional<PublicKey> keyOf(NodeId node);

    static KeyRing of(Map<NodeId, PublicKey> keys) {
        Map<NodeId, PublicKey> copy = Map.copyOf(keys);
        return node -> Optional.ofNullable(copy.get(node));
    }
}
