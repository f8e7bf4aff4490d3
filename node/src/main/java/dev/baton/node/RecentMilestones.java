package dev.baton.node;

import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.seat.SeatObserver;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** When this node last passed the milestones of a takeover, so that its phases can be measured from outside. */
public final class RecentMilestones implements SeatObserver {

    private static final int KEPT = 256;

    /** A point on the way to the seat. */
    public enum Milestone {
        /** It acts on evidence that the process which holds the term of this epoch is gone. */
        EVIDENCE,
        /** It saw that the seat was free, had evidence, or was given a ticket, and asked for it. */
        ASKED,
        /** The engine gave it the seat. */
        ELECTED,
        /** Its duty is caught up and has taken over. */
        RECOVERED,
        /** The first entry of its term is committed. */
        OPENED,
        /** Its term is over. */
        ENDED
    }

    /**
     * A milestone passed.
     *
     * @param atMicros wall clock, microseconds since 1970; comparable between processes of one machine
     */
    public record Passed(Milestone milestone, long epoch, long atMicros) {}

    private final Deque<Passed> passed = new ArrayDeque<>();

    @Override
    public void stepped(Standing before, Input input, Step step) {
        Standing now = step.next();
        if (now instanceof Standing.Asking && !(before instanceof Standing.Asking)) {
            if (input instanceof Input.EvidenceSeen evidence) {
                pass(Milestone.EVIDENCE, evidence.of().epoch().value());
            }
            pass(Milestone.ASKED, 0);
        } else if (now instanceof Standing.Opening opening && before instanceof Standing.Asking) {
            pass(Milestone.ELECTED, opening.tenancy().term().epoch().value());
        } else if (now instanceof Standing.Opening opening && input instanceof Input.Assumed) {
            pass(Milestone.RECOVERED, opening.tenancy().term().epoch().value());
        } else if (now instanceof Standing.Leader leader && before instanceof Standing.Opening) {
            pass(Milestone.OPENED, leader.tenancy().term().epoch().value());
        } else if (before instanceof Standing.Tenured tenured && !(now instanceof Standing.Tenured)) {
            pass(Milestone.ENDED, tenured.tenancy().term().epoch().value());
        }
    }

    private synchronized void pass(Milestone milestone, long epoch) {
        if (passed.size() == KEPT) {
            passed.removeFirst();
        }
        passed.addLast(new Passed(milestone, epoch, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
    }

    /** The last ones, oldest first. */
    public synchronized List<Passed> passed() {
        return List.copyOf(passed);
    }
}
