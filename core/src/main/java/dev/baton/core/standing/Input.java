package dev.baton.core.standing;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.List;

/** Something that happened. {@code nowNanos} is the node's monotonic clock when the input was taken up. */
public sealed interface Input {

    // From the engine

    /** The engine names a holder, this node or another. */
    record SeatTaken(Seating seating, long nowNanos) implements Input {}

    /** The engine says that nobody holds the seat. */
    record SeatVacated(Ending how, long nowNanos) implements Input {}

    /** The ledger grew: somebody works. */
    record HeadAdvanced(Head head, long nowNanos) implements Input {}

    /** The engine gave the seat to this node. */
    record Elected(Seating seating, Head head, Ending predecessorEnded, long sentNanos, long nowNanos, long wallMillis)
            implements Input {}

    /** The engine did not give the seat, or did not say. */
    record NotElected(String why, boolean held, long nowNanos) implements Input {}

    /** The entry is committed; {@code sentNanos} is the earliest send among the acknowledgements. */
    record Committed(long attempt, Entry entry, long sentNanos, long nowNanos) implements Input {}

    /** The engine refused: a higher epoch exists. */
    record FencedOff(Term term, Epoch by, long nowNanos) implements Input {}

    // From the duty

    record ReadinessChanged(Readiness readiness, long nowNanos) implements Input {}

    /** The duty has applied everything up to the head it was asked for. */
    record CaughtUp(long attempt, long nowNanos) implements Input {}

    /** The duty has taken over. */
    record Assumed(long attempt, long nowNanos) implements Input {}

    /** The duty made a payload. */
    record Drafted(long attempt, Bytes payload, List<Fact> facts, long nowNanos) implements Input {}

    /** The duty released the committed entry's effects. */
    record Released(long attempt, long nowNanos) implements Input {}

    /** A stage failed: the duty threw, or the engine was unavailable or did not know. */
    record WorkFailed(long attempt, String why, long nowNanos) implements Input {}

    /** Something waits for a commit. */
    record PulseWanted(long nowNanos) implements Input {}

    /** A fenced node tried itself out. */
    record Probed(boolean healthy, String why, long nowNanos) implements Input {}

    // From the clock

    record PulseDue(long dueNanos, long nowNanos) implements Input {}

    record PulseTimedOut(long attempt, long nowNanos) implements Input {}

    /** The watchdog found the deadline passed. */
    record DeadlinePassed(Term term, long nowNanos) implements Input {}

    // From people and peers

    record Pause(String why) implements Input {}

    record Resume(long nowNanos) implements Input {}

    record HandoffAsked(NodeId target, Duration validFor, long nowNanos) implements Input {}

    record AbortAsked(long nowNanos) implements Input {}

    record TicketReceived(Ticket ticket, long nowNanos) implements Input {}

    /** The process that holds this term is gone, by the rules of evidence. */
    record EvidenceSeen(Term of, long nowNanos) implements Input {}

    /** Something happened that must never happen. */
    record InvariantBroken(String what) implements Input {}
}
