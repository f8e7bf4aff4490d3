package dev.baton.core.standing;

import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.timing.PulseCount;
import java.time.Duration;
import java.util.Optional;

/**
 * A term from the holder's point of view.
 *
 * @param head the last entry known to be committed
 * @param opening the fact that the term's first entry carries
 * @param dueNanos when the current or last attempt was due; the next one is due an interval later. While a ticket is
 *     out and its abort has not begun, when the abort is due
 * @param running whether an attempt is under way; its number is {@code outlook.attempts()}
 * @param hurried whether the duty asked for another pulse as soon as this one ends
 * @param deadlineNanos after this nothing may be done under the term; renewed by commits only
 * @param handoff a handoff that waits for the current entry to be finished
 */
public record Tenancy(
        Term term,
        Head head,
        Fact.Opened opening,
        Work work,
        long dueNanos,
        boolean running,
        boolean hurried,
        PulseCount pulses,
        long deadlineNanos,
        Optional<Handoff> handoff,
        Outlook outlook) {

    /** A wish to hand the seat over. */
    public record Handoff(NodeId target, Duration validFor) {}

    static Tenancy elected(Term term, Head head, Fact.Opened opening, Work work, long deadlineNanos, Outlook outlook) {
        return new Tenancy(
                term,
                head,
                opening,
                work,
                outlook.pulseSeenNanos(),
                false,
                false,
                PulseCount.NONE,
                deadlineNanos,
                Optional.empty(),
                outlook);
    }

    /** Whether everybody who may have acted before has stopped by now. */
    public boolean hasWaited() {
        return !(work instanceof Work.Wait);
    }

    long attempt() {
        return outlook.attempts();
    }

    boolean isCurrent(long attempt) {
        return running && attempt == attempt();
    }

    /**
     * Whether the stage moves on by a result of this attempt. If a later attempt is under way, it repeats the stage
     * and answers for itself.
     */
    boolean accepts(long attempt) {
        return !running || attempt == attempt();
    }

    boolean hasOffered(Entry entry) {
        return switch (work) {
            case Work.Append(Entry offered) -> offered.equals(entry);
            case Work.Release(Entry committed) -> committed.equals(entry);
            case Work.Wait ignored -> false;
            case Work.CatchUp ignored -> false;
            case Work.Assume ignored -> false;
            case Work.Rest ignored -> false;
            case Work.Draft ignored -> false;
        };
    }

    Tenancy at(Work stage) {
        return new Tenancy(
                term, head, opening, stage, dueNanos, running, hurried, pulses, deadlineNanos, handoff, outlook);
    }

    Tenancy committedUpTo(Head newHead, Work stage) {
        return new Tenancy(
                term, newHead, opening, stage, dueNanos, running, hurried, pulses, deadlineNanos, handoff, outlook);
    }

    /** Begins an attempt. A new draft takes in all that waits; an entry taken up again does not. */
    Tenancy begun(long due) {
        boolean stillHurried = hurried && !(work instanceof Work.Draft);
        return new Tenancy(
                term,
                head,
                opening,
                work,
                due,
                true,
                stillHurried,
                pulses,
                deadlineNanos,
                handoff,
                outlook.nextAttempt());
    }

    Tenancy dueAt(long due) {
        return new Tenancy(term, head, opening, work, due, running, hurried, pulses, deadlineNanos, handoff, outlook);
    }

    Tenancy ended(PulseCount counted) {
        return new Tenancy(
                term, head, opening, work, dueNanos, false, hurried, counted, deadlineNanos, handoff, outlook);
    }

    Tenancy renewed(long newDeadlineNanos) {
        return new Tenancy(
                term, head, opening, work, dueNanos, running, hurried, pulses, newDeadlineNanos, handoff, outlook);
    }

    Tenancy hurry() {
        return new Tenancy(term, head, opening, work, dueNanos, running, true, pulses, deadlineNanos, handoff, outlook);
    }

    Tenancy handingOff(Optional<Handoff> wish) {
        return new Tenancy(term, head, opening, work, dueNanos, running, hurried, pulses, deadlineNanos, wish, outlook);
    }

    Tenancy with(Outlook changed) {
        return new Tenancy(
                term, head, opening, work, dueNanos, running, hurried, pulses, deadlineNanos, handoff, changed);
    }
}
