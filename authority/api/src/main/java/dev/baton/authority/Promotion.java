package dev.baton.authority;

import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.Optional;

/** What came of asking for a seat. */
public sealed interface Promotion {

    /**
     * The candidate holds the seat.
     *
     * @param head the last committed entry, recovered: the term's first entry follows it
     * @param sentNanos the monotonic time of the earliest send among the acknowledgements that gave the lease
     */
    record Elected(Seating seating, Head head, Ending predecessorEnded, long sentNanos) implements Promotion {}

    /** Another term holds the seat. */
    record Held(Seating by, Optional<Duration> leaseLeft) implements Promotion {}

    /** The engine will not give the seat to this candidate now: its ticket does not fit, or it is not eligible. */
    record Refused(String why) implements Promotion {}

    /** The engine could not be asked; nothing changed. */
    record Unavailable(String why) implements Promotion {}

    /** The engine may have given the seat. Asking again tells. */
    record Indeterminate(String why) implements Promotion {}
}
