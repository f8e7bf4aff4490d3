package dev.baton.core.standing;

import static dev.baton.core.standing.Transcript.SEAT;
import static dev.baton.core.standing.Transcript.SELF;
import static dev.baton.core.standing.Transcript.head;
import static dev.baton.core.standing.Transcript.nanos;
import static dev.baton.core.standing.Transcript.seating;

import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Ticket;
import dev.baton.core.timing.PulseCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Standings and inputs of every kind, with the differences that guards look at. */
final class Samples {

    private static final Seating OWN = seating("5:n1");
    private static final Seating OTHER = seating("7:n2");
    private static final Fact.Opened OPENED = new Fact.Opened(OWN, Ending.LAPSED, 0);
    private static final Entry ENTRY = Entry.after(head(3), SEAT, OWN.term().epoch(), List.of(OPENED), Bytes.utf8("x"));
    private static final Ticket TICKET = new Ticket(SEAT, OWN.term(), head(3), new NodeId("n2"), Duration.ofSeconds(1));
    private static final long ATTEMPT = 9;

    private Samples() {}

    static List<Work> works() {
        return List.of(
                new Work.Wait(nanos(3_000)),
                new Work.CatchUp(),
                new Work.Assume(),
                new Work.Rest(),
                new Work.Draft(List.of(OPENED)),
                new Work.Append(ENTRY),
                new Work.Release(ENTRY));
    }

    private static List<Outlook> outlooks() {
        Outlook unready = Outlook.initial(nanos(0));
        for (int i = 0; i < ATTEMPT; i++) {
            unready = unready.nextAttempt();
        }
        Outlook ready = unready.with(new Readiness.Ready());
        return List.of(unready, ready, unready.vacated(), ready.vacated(), ready.gaveBack(OWN.term()));
    }

    static List<Standing> standings() {
        List<Standing> all = new ArrayList<>();
        for (Outlook outlook : outlooks()) {
            all.add(new Standing.Follower(outlook));
            all.add(new Standing.Asking(new Claim.Vacancy(), outlook));
            all.add(new Standing.Asking(new Claim.ByTicket(TICKET), outlook));
            all.add(new Standing.Paused("maintenance", outlook));
            for (PulseCount count : List.of(PulseCount.NONE, PulseCount.NONE.succeeded())) {
                all.add(new Standing.Fenced("tired", count, outlook));
            }
        }
        for (Tenancy tenancy : tenancies()) {
            switch (tenancy.work()) {
                case Work.Wait ignored -> all.add(new Standing.Opening(tenancy));
                case Work.CatchUp ignored -> all.add(new Standing.Opening(tenancy));
                case Work.Assume ignored -> {
                    all.add(new Standing.Opening(tenancy));
                    all.add(new Standing.Quiescing(tenancy, TICKET));
                }
                case Work.Rest ignored -> {
                    all.add(new Standing.Leader(tenancy));
                    all.add(new Standing.Quiescing(tenancy, TICKET));
                    all.add(new Standing.Quiescing(tenancy.dueAt(nanos(2_000)), TICKET));
                }
                case Work.Release ignored -> all.add(new Standing.Leader(tenancy));
                case Work.Draft ignored -> allTenured(tenancy, all);
                case Work.Append ignored -> allTenured(tenancy, all);
            }
        }
        return all;
    }

    private static void allTenured(Tenancy tenancy, List<Standing> all) {
        all.add(new Standing.Opening(tenancy));
        all.add(new Standing.Leader(tenancy));
        all.add(new Standing.Quiescing(tenancy, TICKET));
    }

    private static List<Tenancy> tenancies() {
        List<Tenancy> all = new ArrayList<>();
        for (Work work : works()) {
            for (long deadlineMillis : List.of(500L, 4_000L)) {
                for (PulseCount pulses : List.of(PulseCount.NONE, PulseCount.NONE.failed())) {
                    for (Optional<Tenancy.Handoff> wish : List.<Optional<Tenancy.Handoff>>of(
                            Optional.empty(),
                            Optional.of(new Tenancy.Handoff(new NodeId("n2"), Duration.ofSeconds(1))))) {
                        all.add(tenancy(work, deadlineMillis, pulses, wish, false));
                        if (!(work instanceof Work.Wait || work instanceof Work.Rest)) {
                            all.add(tenancy(work, deadlineMillis, pulses, wish, true));
                        }
                    }
                }
            }
        }
        return all;
    }

    private static Tenancy tenancy(
            Work work, long deadlineMillis, PulseCount pulses, Optional<Tenancy.Handoff> wish, boolean running) {
        return new Tenancy(
                OWN.term(),
                head(3),
                OPENED,
                work,
                nanos(0),
                running,
                false,
                pulses,
                nanos(deadlineMillis),
                wish,
                outlooks().get(1));
    }

    static List<Input> inputs() {
        List<Input> all = new ArrayList<>();
        long now = nanos(1_000);
        for (Seating seating : List.of(OWN, OTHER)) {
            all.add(new Input.SeatTaken(seating, now));
            for (Ending ending : List.of(Ending.LAPSED, Ending.RESIGNED)) {
                all.add(new Input.Elected(seating, head(3), ending, now, now, 0));
                all.add(new Input.Elected(seating, head(3), ending, nanos(-4_000), now, 0));
            }
            all.add(new Input.FencedOff(seating.term(), new Epoch(9), now));
            all.add(new Input.DeadlinePassed(seating.term(), now));
            all.add(new Input.EvidenceSeen(seating.term(), now));
        }
        for (Ending ending : Ending.values()) {
            all.add(new Input.SeatVacated(ending, now));
        }
        all.add(new Input.HeadAdvanced(head(8), now));
        for (boolean flag : new boolean[] {true, false}) {
            all.add(new Input.NotElected("why", flag, now));
            all.add(new Input.Probed(flag, "why", now));
        }
        for (long attempt : List.of(ATTEMPT - 1, ATTEMPT)) {
            all.add(new Input.Committed(attempt, ENTRY, now, now));
            all.add(new Input.Committed(attempt, ENTRY, nanos(-4_000), now));
            all.add(new Input.CaughtUp(attempt, now));
            all.add(new Input.Assumed(attempt, now));
            all.add(new Input.Drafted(attempt, Bytes.utf8("y"), List.of(), now));
            all.add(new Input.Released(attempt, now));
            all.add(new Input.WorkFailed(attempt, "why", now));
            all.add(new Input.PulseTimedOut(attempt, now));
        }
        all.add(new Input.ReadinessChanged(new Readiness.Ready(), now));
        all.add(new Input.ReadinessChanged(new Readiness.NotReady("why"), now));
        all.add(new Input.PulseWanted(now));
        all.add(new Input.PulseDue(now, now));
        all.add(new Input.Pause("why"));
        all.add(new Input.Resume(now));
        for (NodeId node : List.of(SELF, new NodeId("n2"))) {
            all.add(new Input.HandoffAsked(node, Duration.ofSeconds(1), now));
            all.add(new Input.TicketReceived(
                    new Ticket(SEAT, OTHER.term(), head(3), node, Duration.ofSeconds(1)), now));
        }
        all.add(new Input.AbortAsked(now));
        all.add(new Input.InvariantBroken("why"));
        return all;
    }
}
