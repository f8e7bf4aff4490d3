package dev.baton.node;

import dev.baton.authority.Authority;
import dev.baton.authority.Noticeboard;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The engine as this node reaches it.
 *
 * @param membership who belongs to it, if it runs inside the nodes
 * @param nodes the servers outside that it runs on, if there are any
 * @param room how full those servers are, if it tells
 * @param board where nodes tell of themselves, if it has one
 * @param broken why this node's part of it has stopped for good, if so: only a new start helps
 * @param objection why this node must not lead over it now, if so: its part is broken, or has not heard of the others
 * @param takesEvidence whether it gives a seat away on evidence; one with elections of its own makes up its own mind
 */
public record Engine(
        Authority authority,
        Optional<Membership> membership,
        Optional<EngineNodes> nodes,
        Optional<EngineRoom> room,
        Optional<Noticeboard> board,
        Supplier<Optional<String>> broken,
        Supplier<Optional<String>> objection,
        boolean takesEvidence) {

    public static Engine of(Authority authority) {
        return new Engine(
                authority,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional::empty,
                Optional::empty,
                true);
    }
}
