package dev.baton.duty.sequencer.signing;

import dev.baton.core.Height;
import dev.baton.core.NodeId;
import java.security.PublicKey;
import java.util.Map;
import java.util.Optional;

/** The public keys of the nodes whose blocks are believed. Thread-safe, must not block. */
@FunctionalInterface
public interface KeyRing {

    Optional<PublicKey> keyOf(NodeId node);

    /**
     * Up to this height, signatures of earlier eras are believed as well: the chain goes on from one era to the next.
     * Above it they are not, because a block that an era began anew has left behind must never come back.
     */
    default Height lastOfEarlierEras() {
        return Height.ZERO;
    }

    /** The same keys, believed in earlier eras up to this height. */
    default KeyRing withEarlierErasUpTo(Height last) {
        KeyRing keys = this;
        return new KeyRing() {
            @Override
            public Optional<PublicKey> keyOf(NodeId node) {
                return keys.keyOf(node);
            }

            @Override
            public Height lastOfEarlierEras() {
                return last;
            }
        };
    }

    static KeyRing of(Map<NodeId, PublicKey> keys) {
        Map<NodeId, PublicKey> copy = Map.copyOf(keys);
        return node -> Optional.ofNullable(copy.get(node));
    }
}
