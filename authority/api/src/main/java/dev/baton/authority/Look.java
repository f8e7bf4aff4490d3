package dev.baton.authority;

import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;

/** What came of looking at a seat. */
public sealed interface Look {

    /** Somebody holds the seat. */
    record Held(Seating by, Head head, Height oldest) implements Look {}

    /**
     * Nobody holds the seat, as far as the engine knows.
     *
     * @param lastEnded how the last term ended; {@code NONE} if there was none
     */
    record Vacant(Ending lastEnded, Head head, Height oldest) implements Look {}

    record Unavailable(String why) implements Look {}
}
