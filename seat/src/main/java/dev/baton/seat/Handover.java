package dev.baton.seat;

import dev.baton.core.Term;
import dev.baton.core.Ticket;

/** What came of a step of a handoff. */
public sealed interface Handover {

    /** The holder stays still; the target may use the ticket. */
    record Issued(Ticket ticket) implements Handover {}

    /** The target leads. */
    record Taken(Term term) implements Handover {}

    /** The handoff was aborted, and the old holder leads on. */
    record Aborted() implements Handover {}

    record Refused(String why) implements Handover {}
}
