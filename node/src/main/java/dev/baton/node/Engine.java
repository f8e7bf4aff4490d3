package dev.baton.node;

import dev.baton.authority.Authority;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The engine as this node reaches it.
 *
 * @param membership who belongs to it, if it runs inside the nodes
 * @param broken why this node's part of it does not work any more, if so
 */
public record Engine(Authority authority, Optional<Membership> membership, Supplier<Optional<String>> broken) {

    public static Engine of(Authority authority) {
        return new Engine(authority, Optional.empty(), Optional::empty);
    }
}
