package dev.baton.duty.remote;

/** What came of asking a sequencer to work. */
public sealed interface Started {

    /** It works under the lease, since now or since long. */
    record Active() implements Started {}

    /** It does not work because of this request. */
    record Refused(String why) implements Started {}

    /** It may have started, or may still do so. */
    record Unknown(String why) implements Started {}
}
