package dev.baton.node;

import dev.baton.authority.Authority;
import java.util.Optional;

/** The engine as this node reaches it, and its members if it has any among the nodes. */
public record Engine(Authority authority, Optional<Membership> membership) {

    public static Engine of(Authority authority) {
        return new Engine(authority, Optional.empty());
    }
}
