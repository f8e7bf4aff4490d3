package dev.baton.node;

import dev.baton.seat.JoinedSeat;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Where a node gets what it does not make itself.
 *
 * @param clock wall time, which peers compare
 * @param halt what to do when a duty cannot be stopped; must not return to a process that goes on working
 */
public record Wiring(Authorities.Source authorities, Duties.Source duties, InstantSource clock, Consumer<String> halt) {

    /** What a node in a process of its own uses. */
    public static final Wiring STANDARD = new Wiring(
            Authorities::open,
            Duties::make,
            InstantSource.system(),
            why -> Runtime.getRuntime().halt(JoinedSeat.EXIT_CANNOT_STOP));
}
