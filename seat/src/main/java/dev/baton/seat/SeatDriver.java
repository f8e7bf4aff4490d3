package dev.baton.seat;

import dev.baton.authority.Look;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.Trim;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import dev.baton.core.standing.Effect;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.StandingMachine;
import dev.baton.core.standing.Step;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the standing machine of one seat: turns what the engine, the duty, the clock and people say into inputs, and
 * the machine's effects into calls.
 *
 * <p>Everything happens on the loop, one thing at a time. Engine calls and duty calls run elsewhere and come back as
 * inputs, so a hung call holds up nothing but itself.
 */
final class SeatDriver {

    private final SeatParts parts;
    private final SeatAuthority authority;
    private final Duty duty;
    private final Loop loop;
    private final DutyRunner runner;
    private final RandomGenerator random;
    private final Watchdog watchdog;
    private final StandingMachine machine;
    private final SeatEngine engine;
    private final DutyCalls calls;
    private final LedgerFeed feed;
    private final SeatSight sight;
    private final Retention retention;
    private final Handovers handovers = new Handovers();
    private @Nullable PresentedTicket presented;
    private final CompletableFuture<Void> resigned = new CompletableFuture<>();

    private Standing standing;
    private @Nullable SeatTenure tenure;
    private boolean trimming;
    private boolean ending;
    private boolean resigning;
    private String lastProblem = "";
    private Loop.@Nullable Timer pulseTimer;
    private Loop.@Nullable Timer timeoutTimer;
    private SeatAuthority.@Nullable Watch watch;
    private volatile SeatStatus status;

    SeatDriver(
            SeatParts parts,
            Loop loop,
            DutyRunner runner,
            RandomGenerator random,
            Function<Consumer<SeatTenure>, Watchdog> watchdog) {
        this.parts = parts;
        this.authority = parts.authority();
        this.duty = parts.duty();
        this.loop = loop;
        this.runner = runner;
        this.random = random;
        this.watchdog = watchdog.apply(this::stopAtDeadline);
        this.machine = new StandingMachine(parts.rules());
        this.engine = new SeatEngine(authority, parts.self(), loop, this::take, parts.observer());
        this.calls = new DutyCalls(runner, loop, this::take);
        this.feed = new LedgerFeed(authority, duty, loop, calls, this::applied, this::problem);
        this.sight = new SeatSight(parts, loop, feed, engine, this::take, this::problem);
        this.retention = new Retention(parts.keep());
        this.standing = StandingMachine.initial(loop.nanos());
        this.status = snapshot();
    }

    // What others may call, from any thread

    /** A holder asks for it before it hands over, so what is applied is what the duty says now, not at the last input. */
    SeatStatus status() {
        return status.appliedUpTo(duty.applied());
    }

    void start() {
        loop.post(() -> {
            watch = authority.watch(sight::heard);
            take(new Input.PulseDue(loop.nanos(), loop.nanos()));
        });
    }

    void pause(String why) {
        loop.post(() -> take(new Input.Pause(why)));
    }

    void resume() {
        loop.post(() -> take(new Input.Resume(loop.nanos())));
    }

    CompletionStage<Handover> handoff(NodeId target, Duration validFor) {
        CompletableFuture<Handover> answer = new CompletableFuture<>();
        loop.post(() -> {
            handovers.asked(answer);
            presented = null;
            take(new Input.HandoffAsked(target, validFor, loop.nanos()));
        });
        return answer;
    }

    CompletionStage<Handover> abortHandoff() {
        CompletableFuture<Handover> answer = new CompletableFuture<>();
        loop.post(() -> {
            handovers.asked(answer);
            presented = null;
            take(new Input.AbortAsked(loop.nanos()));
        });
        return answer;
    }

    CompletionStage<Handover> takeOver(Ticket ticket) {
        CompletableFuture<Handover> answer = new CompletableFuture<>();
        loop.post(() -> {
            handovers.asked(answer);
            presented = PresentedTicket.received(ticket, loop.nanos());
            take(new Input.TicketReceived(ticket, loop.nanos()));
        });
        return answer;
    }

    void evidence(Term gone) {
        loop.post(() -> take(new Input.EvidenceSeen(gone, loop.nanos())));
    }

    /** Gives the seat up, if this node holds it, and listens no more. The stage ends when the engine knows. */
    CompletionStage<Void> end(String why) {
        loop.post(() -> {
            ending = true;
            take(new Input.Pause(why));
            if (watch != null) {
                watch.close();
            }
            handovers.lapse("the node is shutting down");
            if (!resigning) {
                resigned.complete(null);
            }
        });
        return resigned;
    }

    // Inputs

    private void take(Input input) {
        Standing before = standing;
        Step step = machine.step(before, input);
        standing = step.next();
        if (standing instanceof Standing.Tenured tenured) {
            follow(tenured);
        }
        parts.observer().stepped(before, input, step);
        notice(input);
        for (Effect effect : step.effects()) {
            perform(effect);
        }
        if (before instanceof Standing.Opening && standing instanceof Standing.Leader) {
            lastProblem = "";
        }
        boolean ticketRefused = before instanceof Standing.Asking asking
                && asking.claim() instanceof Claim.ByTicket
                && standing instanceof Standing.Follower;
        if (!ticketRefused || !presentsAgain()) {
            handovers.stepped(before, standing);
        }
        status = snapshot();
    }

    private void notice(Input input) {
        switch (input) {
            case Input.WorkFailed failed -> problem(failed.why());
            case Input.NotElected not -> {
                if (!not.held()) { // losing an election to somebody is none
                    problem("not elected: " + not.why());
                }
            }
            case Input.Committed committed -> retention.saw(committed.entry());
            case Input.Released ignored -> trimIfDue();
            default -> {} // the others are told by the standing itself
        }
    }

    /** Keeps the tenure that the duty sees in step with the machine's. */
    private void follow(Standing.Tenured tenured) {
        Term term = tenured.tenancy().term();
        if (tenure == null || !tenure.term().equals(term)) {
            tenure = new SeatTenure(
                    parts.rules().seat(),
                    term,
                    tenured.tenancy().head(),
                    tenured.tenancy().deadlineNanos(),
                    loop,
                    () -> loop.post(() -> take(new Input.PulseWanted(loop.nanos()))));
            sight.own(tenured.tenancy().opening().seating());
        }
        tenure.mayResign(tenured.tenancy().hasWaited());
        tenure.advance(tenured.tenancy().head());
        tenure.keepQuiet(tenured instanceof Standing.Quiescing); // before the effect that issues the ticket
        sight.noteHead(tenured.tenancy().head());
    }

    // Effects

    private void perform(Effect effect) {
        switch (effect) {
            case Effect.Look() -> sight.look();
            case Effect.Promote(Claim claim) -> engine.promote(claim, sight::taken);
            case Effect.Resign(Term term, String why) -> resign(term);
            case Effect.StopDuty(Term term, String why) -> stopDuty(why);
            case Effect.CatchUp(long attempt, Head head) ->
                feed.catchUp(
                        head,
                        () -> loop.post(() -> take(new Input.CaughtUp(attempt, loop.nanos()))),
                        why -> loop.post(() -> take(new Input.WorkFailed(attempt, why, loop.nanos()))));
            case Effect.Assume(long attempt, Term term, Head head) -> {
                SeatTenure current = currentTenure();
                calls.stage(attempt, current, () -> {
                    duty.assume(current);
                    return new Input.Assumed(attempt, loop.nanos());
                });
            }
            case Effect.Draft(long attempt) -> {
                SeatTenure current = currentTenure();
                calls.stage(attempt, current, () -> {
                    Draft draft = duty.draft(current);
                    return new Input.Drafted(attempt, draft.payload(), withRider(draft.facts()), loop.nanos());
                });
            }
            case Effect.Append(long attempt, Term term, Entry entry) -> engine.append(attempt, term, entry);
            case Effect.Release(long attempt, Entry entry) -> {
                SeatTenure current = currentTenure();
                calls.stage(attempt, current, () -> {
                    duty.release(current, entry);
                    return new Input.Released(attempt, loop.nanos());
                });
            }
            case Effect.Probe() -> probe();
            case Effect.SchedulePulse(long atNanos) -> schedulePulse(atNanos);
            case Effect.ScheduleTimeout(long attempt, long atNanos) -> {
                cancel(timeoutTimer);
                timeoutTimer = loop.schedule(atNanos, () -> take(new Input.PulseTimedOut(attempt, loop.nanos())));
            }
            case Effect.ArmWatchdog(Term term, long deadlineNanos) -> {
                currentTenure().renew(deadlineNanos);
                watchdog.watch(currentTenure());
            }
            case Effect.DisarmWatchdog() -> watchdog.rest();
            case Effect.IssueTicket(Ticket ticket) -> handovers.answer(new Handover.Issued(ticket));
            case Effect.RefuseHandoff(String why) -> {
                if (!presentsAgain()) {
                    handovers.answer(new Handover.Refused(why));
                }
            }
            case Effect.Alarm(String what) -> {
                lastProblem = what;
                parts.observer().alarm(what);
            }
        }
    }

    /** Whether the ticket that was not taken up just now will be presented again; nobody is answered until then. */
    private boolean presentsAgain() {
        PresentedTicket ticket = presented;
        NodeId self = parts.rules().self();
        if (ticket == null || !ticket.mayBeGoodLater(self, standing, loop.nanos())) {
            presented = null;
            return false;
        }
        presentLater(ticket, self);
        return true;
    }

    private void presentLater(PresentedTicket ticket, NodeId self) {
        loop.schedule(loop.nanos() + PresentedTicket.PAUSE_NANOS, () -> {
            if (!ticket.equals(presented)) {
                return; // somebody else came after it
            }
            if (ticket.mayBeGood(self, standing)) {
                take(new Input.TicketReceived(ticket.ticket(), loop.nanos()));
            } else {
                presented = null;
                if (!(standing instanceof Standing.Tenured)) { // it may have won the seat on its own
                    handovers.lapse("the engine did not accept the ticket, and it is no longer good");
                }
            }
        });
    }

    private SeatTenure currentTenure() {
        if (tenure == null) {
            throw new IllegalStateException("no term, but " + standing);
        }
        return tenure;
    }

    private void resign(Term term) {
        resigning = true;
        engine.resign(term, () -> {
            resigning = false;
            if (ending) {
                resigned.complete(null);
            }
        });
    }

    private void stopDuty(String why) {
        lastProblem = why;
        cancel(timeoutTimer);
        currentTenure().end(duty, runner, why);
        feed.resume();
        refreshLater();
    }

    /** Called by the watchdog, on its own thread, because the loop may hang. */
    private void stopAtDeadline(SeatTenure late) {
        late.end(duty, runner, "the lease ran out");
        if (late.mayResign()) {
            authority.resign(late.term());
        }
        loop.post(() -> take(new Input.DeadlinePassed(late.term(), loop.nanos())));
    }

    private void trimIfDue() {
        if (trimming || !(standing instanceof Standing.Leader leader)) {
            return;
        }
        retention.due().ifPresent(below -> {
            trimming = true;
            authority
                    .trim(leader.tenancy().term(), below)
                    .whenComplete((trim, defect) -> loop.post(() -> {
                        trimming = false;
                        if (trim instanceof Trim.Done(Height oldest)) {
                            retention.trimmed(oldest);
                        }
                    }));
        });
    }

    /** A fenced node proves itself by a working duty and by an engine that answers. */
    private void probe() {
        long begunNanos = loop.nanos();
        calls.call(
                () -> {
                    duty.probe();
                    return "healthy";
                },
                healthy -> engine.look(look -> take(probed(look, loop.nanos() - begunNanos))),
                failure -> take(new Input.Probed(false, DutyCalls.describe(failure), loop.nanos())));
    }

    /** An answer that comes late is a failure here as everywhere: the pulses of a term would be late, too. */
    private Input.Probed probed(Look look, long tookNanos) {
        boolean late = tookNanos > parts.rules().timings().timeout().toNanos();
        String told = late ? "the engine's answer was late: " + look : look.toString();
        return new Input.Probed(!late && !(look instanceof Look.Unavailable), told, loop.nanos());
    }

    /** The engine's own fact comes last; it is asked for on the duty's thread, so the engine keeps it ready. */
    private List<Fact> withRider(List<Fact> facts) {
        return Stream.concat(facts.stream(), authority.rider().stream()).toList();
    }

    private void schedulePulse(long atNanos) {
        cancel(pulseTimer);
        if (ending) {
            return;
        }
        long dueNanos = standing instanceof Standing.Tenured ? atNanos : atNanos + jitterNanos();
        pulseTimer = loop.schedule(dueNanos, () -> {
            take(new Input.PulseDue(dueNanos, loop.nanos()));
            feed.pump();
            sight.refreshReadiness();
        });
    }

    /** Nodes that poll in step would also ask for the seat in step. */
    private long jitterNanos() {
        return random.nextLong(1 + parts.rules().poll().toNanos() * 2 / 5);
    }

    private void refreshLater() {
        loop.post(sight::refreshReadiness);
    }

    private void applied(Entry entry) {
        retention.saw(entry);
        parts.observer().applied(entry);
        sight.refreshReadiness();
    }

    private void problem(String what) {
        lastProblem = what;
        parts.observer().problem(what);
    }

    private static void cancel(Loop.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private SeatStatus snapshot() {
        return new SeatStatus(
                parts.rules().seat(),
                parts.rules().self(),
                standing,
                sight.holder(),
                feed.known(),
                duty.applied(),
                sight.readiness(),
                sight.headSeenNanos(),
                lastProblem);
    }
}
