package dev.baton.authority.raft;

import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;

/**
 * What became of a command when it was applied. A rejection is a reply like any other: the engine treats a failing
 * state machine as a broken member.
 */
sealed interface Reply {

    record Granted(Seating seating, Head head, Ending predecessorEnded) implements Reply {}

    record Held(Seating by) implements Reply {}

    record Refused(String why) implements Reply {}

    /** The seat was held in this Raft term and is not any more; its next epoch needs a new Raft term. */
    record Spent() implements Reply {}

    record Committed() implements Reply {}

    record Fenced(Epoch by) implements Reply {}

    record Conflict(Head actual, String why) implements Reply {}

    record Ended() implements Reply {}

    record Trimmed(Height oldest) implements Reply {}

    /** The command's bytes cannot be read; nothing changed. */
    record Malformed(String why) implements Reply {}
}
