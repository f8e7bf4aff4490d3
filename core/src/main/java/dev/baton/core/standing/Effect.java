package dev.baton.core.standing;

import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Term;
import dev.baton.core.Ticket;

/** Something the driver must do now, in the order given. Numbered ones answer with an input of the same attempt. */
public sealed interface Effect {

    /** Ask the engine who holds the seat. */
    record Look() implements Effect {}

    record Promote(Claim claim) implements Effect {}

    record Resign(Term term, String why) implements Effect {}

    /** Stop the duty before anything else happens. */
    record StopDuty(Term term, String why) implements Effect {}

    record CatchUp(long attempt, Head head) implements Effect {}

    record Assume(long attempt, Term term, Head head) implements Effect {}

    record Draft(long attempt) implements Effect {}

    record Append(long attempt, Term term, Entry entry) implements Effect {}

    record Release(long attempt, Entry entry) implements Effect {}

    /** Check the duty and the way to the engine without holding the seat. */
    record Probe() implements Effect {}

    /** There is one pulse timer; this sets it. */
    record SchedulePulse(long atNanos) implements Effect {}

    record ScheduleTimeout(long attempt, long atNanos) implements Effect {}

    /** The watchdog stops the term at this time unless it is armed anew. */
    record ArmWatchdog(Term term, long deadlineNanos) implements Effect {}

    record DisarmWatchdog() implements Effect {}

    /** Give the ticket to its target. */
    record IssueTicket(Ticket ticket) implements Effect {}

    /** Answer a handoff or a ticket that cannot be taken up. */
    record RefuseHandoff(String why) implements Effect {}

    /** Tell people: this needs one of them. */
    record Alarm(String what) implements Effect {}
}
