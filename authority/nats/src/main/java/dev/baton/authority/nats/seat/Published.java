package dev.baton.authority.nats.seat;

/** What became of a message for a seat's stream. */
sealed interface Published {

    /**
     * It stands in the stream, at the sequence that it was meant for.
     *
     * @param sentNanos the monotonic time just before its first copy was sent
     */
    record Landed(SeatMessage message, long sentNanos) implements Published {}

    /** The stream had moved on: another message stands there, and this one never will. */
    record Beaten() implements Published {}

    /** It is not there, and will not be by this attempt. */
    record Unsent(String why) implements Published {}

    /** It may be there, now or later. */
    record Unknown(String why) implements Published {}
}
