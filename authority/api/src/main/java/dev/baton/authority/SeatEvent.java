package dev.baton.authority;

import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.Seating;

/** A change of a seat or its ledger. */
public sealed interface SeatEvent {

    record Taken(Seating seating) implements SeatEvent {}

    /** The seat is free, as far as this observer's engine can tell. */
    record Vacated(Ending how) implements SeatEvent {}

    /** The ledger's head is now this one. */
    record Advanced(Head head) implements SeatEvent {}

    /** Events were lost, or the engine is out of reach: look again. */
    record Missed(String why) implements SeatEvent {}
}
