package dev.baton.node;

import dev.baton.authority.Authority;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The engine as this node reaches it.
 *
 * @param membership who belongs to it, if it runs inside the nodes
 * @param objection why this node must not lead over it now: its part does not work, or has not heard of the others
 */
public record Engine(Authority authority, Optional<Membership> membership, Supplier<Optional<String>> objection) {

    public static Engine of(Authority authority) {
        return new Engine(authority, Optional.empty(), Optional::empty);
    }
}
