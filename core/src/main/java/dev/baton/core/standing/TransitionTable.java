package dev.baton.core.standing;

import dev.baton.core.Claim;
import dev.baton.core.standing.Standing.Asking;
import dev.baton.core.standing.Standing.Fenced;
import dev.baton.core.standing.Standing.Follower;
import dev.baton.core.standing.Standing.Leader;
import dev.baton.core.standing.Standing.Opening;
import dev.baton.core.standing.Standing.Paused;
import dev.baton.core.standing.Standing.Quiescing;
import dev.baton.core.standing.Standing.Tenured;
import dev.baton.core.timing.Deadlines;
import dev.baton.core.timing.PulseCount;
import dev.baton.core.timing.SeatTimings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Every transition there is, as data: the machine runs it, a test walks it, and the diagram is drawn from it. */
final class TransitionTable {

    static final List<Class<? extends Standing>> STANDINGS = List.of(
            Follower.class, Asking.class, Opening.class, Leader.class, Quiescing.class, Fenced.class, Paused.class);

    private static final List<Class<? extends Standing>> WITHOUT_TERM =
            List.of(Follower.class, Asking.class, Fenced.class, Paused.class);

    private final SeatRules rules;
    private final SeatTimings timings;
    private final TenureRules tenure;
    private final List<Transition<?, ?>> rows = new ArrayList<>();

    TransitionTable(SeatRules rules) {
        this.rules = rules;
        this.timings = rules.timings();
        this.tenure = new TenureRules(rules);
        followerRows();
        askingRows();
        workRows();
        tenureEndRows();
        handoffRows();
        fencedRows();
        pausedRows();
        sharedRows();
    }

    List<Transition<?, ?>> rows() {
        return List.copyOf(rows);
    }

    private void followerRows() {
        on(Follower.class, Input.SeatVacated.class)
                .when("ready", (now, in) -> now.outlook().readiness().isReady())
                .to(Asking.class)
                .does("ask for the seat", (now, in) -> ask(now.outlook().vacated(), new Claim.Vacancy()));
        on(Follower.class, Input.ReadinessChanged.class)
                .when(
                        "ready, and the seat is free",
                        (now, in) -> now.outlook().with(in.readiness()).mayStand())
                .to(Asking.class)
                .does("ask for the seat", (now, in) -> ask(now.outlook().with(in.readiness()), new Claim.Vacancy()));
        on(Follower.class, Input.PulseDue.class)
                .when("ready, and the seat is free", (now, in) -> now.outlook().mayStand())
                .to(Asking.class)
                .does("ask for the seat", (now, in) -> ask(now.outlook(), new Claim.Vacancy()));
        on(Follower.class, Input.PulseDue.class).to(Follower.class).does("look", (now, in) -> look(now, in.nowNanos()));
        on(Follower.class, Input.TicketReceived.class)
                .when(
                        "ready, and the ticket names this node",
                        (now, in) -> now.outlook().readiness().isReady()
                                && in.ticket().target().equals(rules.self())
                                && in.ticket().seat().equals(rules.seat()))
                .to(Asking.class)
                .does("ask for the seat", (now, in) -> ask(now.outlook(), new Claim.ByTicket(in.ticket())));
        on(Follower.class, Input.EvidenceSeen.class)
                .when(
                        "ready, and effects are fenced at the ledger",
                        (now, in) -> now.outlook().readiness().isReady() && rules.fencing() == Fencing.AT_LEDGER)
                .to(Asking.class)
                .does("ask for the seat", (now, in) -> ask(now.outlook(), new Claim.Evidence(in.of())));
    }

    private void askingRows() {
        on(Asking.class, Input.Elected.class)
                .when(
                        "a term that this node lost or gave back: a late answer",
                        (now, in) -> !in.seating()
                                .term()
                                .epoch()
                                .isAbove(now.outlook().over()))
                .to(Follower.class)
                .does("give the seat back again, look again later", (now, in) -> {
                    Effect[] givenBack = tenure.resignation(in.seating().term(), "the term is over");
                    // To ask again would renew a lease that nobody wants.
                    Outlook known = givenBack.length == 0 ? now.outlook().occupied() : now.outlook();
                    return Step.to(new Follower(known)).and(givenBack).and(nextLook(in.nowNanos()));
                });
        on(Asking.class, Input.Elected.class)
                .when(
                        "ready, and the answer came in time",
                        (now, in) -> now.outlook().readiness().isReady() && tenure.isInTime(in))
                .to(Opening.class)
                .does("arm the watchdog, catch up", tenure::open);
        on(Asking.class, Input.Elected.class)
                .to(Follower.class)
                .does(
                        "give the seat back",
                        (now, in) -> look(
                                        new Follower(now.outlook()
                                                .occupied()
                                                .gaveBack(in.seating().term())),
                                        in.nowNanos())
                                .and(tenure.resignation(in.seating().term(), "not ready, or told too late")));
        on(Asking.class, Input.NotElected.class).to(Follower.class).does("look again later", (now, in) -> {
            Outlook outlook = in.held() ? now.outlook().occupied() : now.outlook();
            return Step.to(new Follower(outlook), nextLook(in.nowNanos()));
        });
        on(Asking.class, Input.PulseDue.class)
                .to(Asking.class)
                .does("keep the timer going", (now, in) -> Step.to(now, nextLook(in.nowNanos())));
    }

    private void workRows() {
        on(Quiescing.class, Input.PulseDue.class)
                .when(
                        "set before the ticket was issued, which is still good",
                        (now, in) -> !Deadlines.isPast(now.tenancy().dueNanos(), in.nowNanos()))
                .to(Quiescing.class)
                .does("nothing: the abort is not due", (now, in) -> Step.to(now));
        on(Tenured.class, Input.PulseDue.class)
                .when("no attempt is under way", (now, in) -> !now.tenancy().running())
                .to(Opening.class, Leader.class, Quiescing.class, Fenced.class, Follower.class)
                .does(
                        "begin an attempt; for a quiescing holder that is the abort",
                        (now, in) -> tenure.begin(now, in.dueNanos(), in.nowNanos()));
        on(Opening.class, Input.CaughtUp.class)
                .when(
                        "catching up, and no later attempt is",
                        (now, in) -> now.tenancy().work() instanceof Work.CatchUp
                                && now.tenancy().accepts(in.attempt()))
                .to(Opening.class)
                .does("the duty takes over", tenure::caughtUp);
        on(Opening.class, Input.Assumed.class)
                .when(
                        "taking over, and no later attempt is",
                        (now, in) -> now.tenancy().work() instanceof Work.Assume
                                && now.tenancy().accepts(in.attempt()))
                .to(Opening.class)
                .does("the duty makes a payload", tenure::assumed);
        on(Tenured.class, Input.Drafted.class)
                .when(
                        "by the attempt under way",
                        (now, in) -> now.tenancy().work() instanceof Work.Draft
                                && now.tenancy().isCurrent(in.attempt()))
                .to(Opening.class, Leader.class, Quiescing.class, Fenced.class, Follower.class)
                .does("append", tenure::drafted);
        on(Tenured.class, Input.Committed.class)
                .when("the entry that was offered", (now, in) -> now.tenancy().hasOffered(in.entry()))
                .to(Leader.class, Fenced.class)
                .does("renew the deadline, release the effects", tenure::committed);
        on(Leader.class, Input.Released.class)
                .when(
                        "releasing, and no later attempt is",
                        (now, in) -> now.tenancy().work() instanceof Work.Release
                                && now.tenancy().accepts(in.attempt()))
                .to(Leader.class, Quiescing.class)
                .does("rest until the next pulse, or issue the ticket", tenure::released);
        on(Tenured.class, Input.WorkFailed.class)
                .when("the attempt under way", (now, in) -> now.tenancy().isCurrent(in.attempt()))
                .to(Opening.class, Leader.class, Quiescing.class, Fenced.class)
                .does(
                        "count; try the same stage again or fence",
                        (now, in) -> tenure.failed(now, in.why(), in.nowNanos()));
        on(Tenured.class, Input.PulseTimedOut.class)
                .when("the attempt under way", (now, in) -> now.tenancy().isCurrent(in.attempt()))
                .to(Opening.class, Leader.class, Quiescing.class, Fenced.class)
                .does(
                        "count; try the same stage again or fence",
                        (now, in) -> tenure.failed(now, "no result within " + timings.timeout(), in.nowNanos()));
        on(Leader.class, Input.PulseWanted.class)
                .when("resting", (now, in) -> now.tenancy().work() instanceof Work.Rest)
                .to(Leader.class)
                .does("pulse at once", (now, in) -> Step.to(now, new Effect.SchedulePulse(in.nowNanos())));
        on(Tenured.class, Input.PulseWanted.class)
                .to(Opening.class, Leader.class, Quiescing.class)
                .does("remember", (now, in) -> Step.to(now.with(now.tenancy().hurry())));
        on(Tenured.class, Input.Elected.class)
                .when(
                        "the same term",
                        (now, in) -> now.tenancy().term().equals(in.seating().term()))
                .to(Opening.class, Leader.class, Quiescing.class)
                .does("renew the deadline", (now, in) -> {
                    long deadlineNanos = Deadlines.later(
                            now.tenancy().deadlineNanos(), timings.lease().deadlineNanos(in.sentNanos()));
                    return Step.to(
                            now.with(now.tenancy().renewed(deadlineNanos)),
                            new Effect.ArmWatchdog(now.tenancy().term(), deadlineNanos));
                });
    }

    private void tenureEndRows() {
        on(Tenured.class, Input.FencedOff.class)
                .when("this term", (now, in) -> now.tenancy().term().equals(in.term()))
                .to(Fenced.class, Follower.class)
                .does("stop the duty", (now, in) -> tenure.replaced(now, "fenced by epoch " + in.by(), in.nowNanos()));
        on(Tenured.class, Input.SeatTaken.class)
                .when(
                        "a higher epoch",
                        (now, in) -> in.seating()
                                .term()
                                .epoch()
                                .isAbove(now.tenancy().term().epoch()))
                .to(Fenced.class, Follower.class)
                .does(
                        "stop the duty",
                        (now, in) -> tenure.replaced(
                                now, "replaced by term " + in.seating().term(), in.nowNanos()));
        on(Tenured.class, Input.DeadlinePassed.class)
                .when("this term", (now, in) -> now.tenancy().term().equals(in.term()))
                .to(Fenced.class, Follower.class)
                .does(
                        "stop the duty, give the seat back",
                        (now, in) -> tenure.expire(now, "the lease ran out", in.nowNanos()));
        on(Tenured.class, Input.Pause.class)
                .to(Paused.class)
                .does("stop the duty, give the seat back", (now, in) -> tenure.leave(now, in.why()));
        on(Tenured.class, Input.InvariantBroken.class)
                .to(Paused.class)
                .does(
                        "stop the duty, give the seat back, raise the alarm",
                        (now, in) -> tenure.leave(now, in.what()).and(new Effect.Alarm(in.what())));
    }

    private void handoffRows() {
        on(Leader.class, Input.HandoffAsked.class)
                .when("to itself", (now, in) -> in.target().equals(rules.self()))
                .to(Leader.class)
                .does("refuse", (now, in) -> Step.to(now, refuse(in.target() + " holds the seat already")));
        on(Leader.class, Input.HandoffAsked.class)
                .when(
                        "another handoff waits",
                        (now, in) -> now.tenancy().handoff().isPresent())
                .to(Leader.class)
                .does("refuse", (now, in) -> Step.to(now, refuse("another handoff is under way")));
        on(Leader.class, Input.HandoffAsked.class)
                .when("resting", (now, in) -> now.tenancy().work() instanceof Work.Rest)
                .to(Quiescing.class, Leader.class)
                .does("issue the ticket", (now, in) -> tenure.quiesce(now, wish(in), in.nowNanos()));
        on(Leader.class, Input.HandoffAsked.class)
                .to(Leader.class)
                .does(
                        "finish the entry first",
                        (now, in) -> Step.to(now.with(now.tenancy().handingOff(Optional.of(wish(in))))));
        on(Leader.class, Input.AbortAsked.class)
                .when("a handoff waits", (now, in) -> now.tenancy().handoff().isPresent())
                .to(Leader.class)
                .does(
                        "forget the handoff, and say so",
                        (now, in) -> Step.to(
                                now.with(now.tenancy().handingOff(Optional.empty())),
                                refuse("aborted before the ticket was issued")));
        on(Quiescing.class, Input.AbortAsked.class)
                .when("no attempt is under way", (now, in) -> !now.tenancy().running())
                .to(Quiescing.class, Follower.class)
                .does("commit the abort", (now, in) -> tenure.begin(now, in.nowNanos(), in.nowNanos()));
        on(Quiescing.class, Input.AbortAsked.class)
                .to(Quiescing.class)
                .does("nothing: the abort is under way", (now, in) -> Step.to(now));
        for (Class<? extends Standing> from : STANDINGS) {
            refuses(from, Input.HandoffAsked.class, "this node cannot hand the seat over now");
            refuses(from, Input.AbortAsked.class, "no handoff waits for its target");
            refuses(from, Input.TicketReceived.class, "this node cannot take the seat now");
        }
    }

    private <S extends Standing, I extends Input> void refuses(Class<S> from, Class<I> on, String why) {
        on(from, on).to(from).does("refuse", (now, in) -> Step.to(now, refuse(why + "; it is " + describe(now))));
    }

    private void fencedRows() {
        on(Fenced.class, Input.PulseDue.class)
                .to(Fenced.class)
                .does(
                        "try itself out",
                        (now, in) -> Step.to(
                                now,
                                new Effect.Probe(),
                                new Effect.SchedulePulse(
                                        in.nowNanos() + timings.interval().toNanos())));
        on(Fenced.class, Input.Probed.class).to(Fenced.class, Follower.class).does("count", (now, in) -> {
            PulseCount count =
                    in.healthy() ? now.probes().succeeded() : now.probes().failed();
            return timings.policy().unfences(count)
                    ? look(new Follower(now.outlook()), in.nowNanos())
                    : Step.to(new Fenced(now.why(), count, now.outlook()));
        });
    }

    private void pausedRows() {
        on(Paused.class, Input.Resume.class)
                .to(Follower.class)
                .does("look", (now, in) -> look(new Follower(now.outlook()), in.nowNanos()));
        on(Paused.class, Input.InvariantBroken.class)
                .to(Paused.class)
                .does(
                        "raise the alarm",
                        (now, in) -> Step.to(new Paused(in.what(), now.outlook()), new Effect.Alarm(in.what())));
        for (Class<? extends Standing> from : List.of(Follower.class, Asking.class, Fenced.class)) {
            pauses(from);
        }
    }

    private <S extends Standing> void pauses(Class<S> from) {
        on(from, Input.Pause.class)
                .to(Paused.class)
                .does("nothing", (now, in) -> Step.to(new Paused(in.why(), now.outlook())));
        on(from, Input.InvariantBroken.class)
                .to(Paused.class)
                .does(
                        "raise the alarm",
                        (now, in) -> Step.to(new Paused(in.what(), now.outlook()), new Effect.Alarm(in.what())));
    }

    /** What every standing takes note of, and what none of the rows above wanted. */
    private void sharedRows() {
        WITHOUT_TERM.forEach(this::watchesTheHolder);
        for (Class<? extends Standing> from : STANDINGS) {
            on(from, Input.ReadinessChanged.class)
                    .to(from)
                    .does(
                            "take note",
                            (now, in) -> Step.to(now.with(now.outlook().with(in.readiness()))));
            if (from != Asking.class) {
                givesBack(from);
            }
        }
        for (Class<?> input : Input.class.getPermittedSubclasses()) {
            for (Class<? extends Standing> from : STANDINGS) {
                ignores(from, input.asSubclass(Input.class));
            }
        }
    }

    private <S extends Standing> void watchesTheHolder(Class<S> from) {
        on(from, Input.SeatTaken.class)
                .when(
                        "by this node itself",
                        (now, in) -> in.seating().term().node().equals(rules.self()))
                .to(from)
                .does("take note", (now, in) -> Step.to(now.with(now.outlook().occupied())));
        on(from, Input.SeatTaken.class)
                .to(from)
                .does(
                        "take note",
                        (now, in) -> Step.to(
                                now.with(now.outlook().sawHolder(in.seating().term(), in.nowNanos()))));
        on(from, Input.HeadAdvanced.class)
                .to(from)
                .does("take note", (now, in) -> Step.to(now.with(now.outlook().sawHead(in.head(), in.nowNanos()))));
        on(from, Input.SeatVacated.class)
                .to(from)
                .does("take note", (now, in) -> Step.to(now.with(now.outlook().vacated())));
    }

    private <S extends Standing> void givesBack(Class<S> from) {
        on(from, Input.Elected.class)
                .to(from)
                .does(
                        "give the seat back: it was wanted once, but not any more",
                        (now, in) -> Step.to(now.with(
                                        now.outlook().gaveBack(in.seating().term())))
                                .and(tenure.resignation(in.seating().term(), "elected while " + describe(now))));
    }

    private <S extends Standing, I extends Input> void ignores(Class<S> from, Class<I> on) {
        rows.add(new Transition<>(from, on, "", (now, in) -> true, Set.of(), "nothing", (now, in) -> Step.to(now)));
    }

    private static Step ask(Outlook outlook, Claim claim) {
        return Step.to(new Asking(claim, outlook), new Effect.Promote(claim));
    }

    private Step look(Follower follower, long nowNanos) {
        return Step.to(follower, new Effect.Look(), nextLook(nowNanos));
    }

    private Effect nextLook(long nowNanos) {
        return new Effect.SchedulePulse(nowNanos + rules.poll().toNanos());
    }

    private static Tenancy.Handoff wish(Input.HandoffAsked in) {
        return new Tenancy.Handoff(in.target(), in.validFor());
    }

    private static Effect refuse(String why) {
        return new Effect.RefuseHandoff(why);
    }

    private static String describe(Standing now) {
        return now.name().toString().toLowerCase(Locale.ROOT);
    }

    private <S extends Standing, I extends Input> RowBuilder<S, I> on(Class<S> from, Class<I> on) {
        return new RowBuilder<>(from, on, rows::add);
    }
}
