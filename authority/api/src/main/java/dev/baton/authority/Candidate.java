package dev.baton.authority;

import dev.baton.core.Holder;

/**
 * Who asks for a seat.
 *
 * @param address where the node can be reached once it holds the seat; may be empty
 */
public record Candidate(Holder holder, String address) {}
