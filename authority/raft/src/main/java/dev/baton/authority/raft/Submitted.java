package dev.baton.authority.raft;

/** What came of submitting a command to the log. */
sealed interface Submitted {

    record Applied(Reply reply) implements Submitted {}

    /** It was never written to the log. */
    record NotSent(String why) implements Submitted {}

    /** It was written to this member's log, and may be committed now, later, or never. */
    record Unknown(String why) implements Submitted {}
}
