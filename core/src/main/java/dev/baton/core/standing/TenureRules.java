package dev.baton.core.standing;

import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a holder does from election to loss: attempts at a pulse, each going through the stages of {@link Work}.
 *
 * <p>An attempt that does not finish within the timeout has failed, whatever arrives later. A late result is still
 * true, so it moves the stage on; it just does not count as a success and does not renew the lease.
 */
final class TenureRules {

    private final SeatRules rules;
    private final SeatTimings timings;

    TenureRules(SeatRules rules) {
        this.rules = rules;
        this.timings = rules.timings();
    }

    /** An answer that took longer than the lease gives no term: it may be somebody else's already. */
    boolean isInTime(Input.Elected in) {
        return !Deadlines.isPast(timings.lease().deadlineNanos(in.sentNanos()), in.nowNanos());
    }

    Step open(Asking asking, Input.Elected in) {
        long deadlineNanos = timings.lease().deadlineNanos(in.sentNanos());
        Fact.Opened opening = new Fact.Opened(in.seating(), in.predecessorEnded(), in.wallMillis());
        Tenancy tenancy = Tenancy.elected(
                in.seating().term(), in.head(), opening, firstWork(asking, in), deadlineNanos, asking.outlook());
        Step step = begin(new Opening(tenancy), in.nowNanos(), in.nowNanos());
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.ArmWatchdog(tenancy.term(), deadlineNanos));
        effects.addAll(step.effects());
        return new Step(step.next(), effects);
    }

    /** INV-8: where only stopping the process fences it, the predecessor gets the time that it needs for that. */
    private Work firstWork(Asking asking, Input.Elected in) {
        long seenNanos = asking.outlook().sawHead(in.head(), in.nowNanos()).pulseSeenNanos();
        long safeNanos = seenNanos + timings.takeoverDelay().toNanos();
        boolean mustWait = rules.fencing() == Fencing.AT_PROCESS
                && !haveAllStopped(in.predecessorEnded())
                && !Deadlines.isPast(safeNanos, in.nowNanos());
        return mustWait ? new Work.Wait(safeNanos) : new Work.CatchUp();
    }

    /**
     * Whether the predecessor has stopped, and with it everybody before.
     *
     * <p>Only a holder that has opened its term issues a ticket, and only one that has waited for its own predecessor
     * resigns (see {@link #resignation}); so whoever did either vouches for all before it. What counts is the engine's
     * word: the claim may be a ticket while an earlier claim was granted.
     */
    private static boolean haveAllStopped(Ending predecessor) {
        return predecessor == Ending.RESIGNED || predecessor == Ending.HANDED_OFF;
    }

    /** Begins an attempt at the stage that the last one reached. */
    Step begin(Tenured standing, long dueNanos, long nowNanos) {
        Tenancy tenancy = standing.tenancy();
        if (Deadlines.isPast(tenancy.deadlineNanos(), nowNanos)) {
            return expire(standing, "the lease ran out before the pulse could begin", nowNanos);
        }
        if (standing instanceof Quiescing && rules.fencing() == Fencing.AT_PROCESS) {
            return expire(standing, "the ticket was not used, and the duty is stopped already", nowNanos);
        }
        if (tenancy.work() instanceof Work.Wait(long untilNanos)) {
            if (!Deadlines.isPast(untilNanos, nowNanos)) {
                return keepWaiting(standing, untilNanos, nowNanos);
            }
            tenancy = tenancy.at(new Work.CatchUp());
        }
        if (tenancy.work() instanceof Work.Rest) {
            tenancy = tenancy.at(new Work.Draft(factsFor(standing)));
        }
        Tenancy begun = tenancy.begun(dueNanos);
        return Step.to(
                standing.with(begun),
                new Effect.ScheduleTimeout(
                        begun.attempt(), nowNanos + timings.timeout().toNanos()),
                effectOf(begun));
    }

    /** Nothing is committed yet that would renew the lease, so it is asked for anew. */
    private Step keepWaiting(Tenured standing, long untilNanos, long nowNanos) {
        long againNanos =
                Deadlines.earlier(untilNanos, nowNanos + timings.interval().toNanos());
        return Step.to(standing, new Effect.Promote(new Claim.Vacancy()), new Effect.SchedulePulse(againNanos));
    }

    private static List<Fact> factsFor(Tenured standing) {
        return switch (standing) {
            case Opening(Tenancy tenancy) -> List.of(tenancy.opening());
            case Leader ignored -> List.of();
            case Quiescing(Tenancy ignored, Ticket ticket) -> List.of(new Fact.HandoffAborted(ticket.target()));
        };
    }

    private static Effect effectOf(Tenancy tenancy) {
        long attempt = tenancy.attempt();
        return switch (tenancy.work()) {
            case Work.CatchUp() -> new Effect.CatchUp(attempt, tenancy.head());
            case Work.Assume() -> new Effect.Assume(attempt, tenancy.term(), tenancy.head());
            case Work.Draft(List<Fact> ignored) -> new Effect.Draft(attempt);
            case Work.Append(Entry entry) -> new Effect.Append(attempt, tenancy.term(), entry);
            case Work.Release(Entry entry) -> new Effect.Release(attempt, entry);
            case Work.Wait ignored -> throw new IllegalStateException("an attempt begun while waiting: " + tenancy);
            case Work.Rest() -> throw new IllegalStateException("an attempt begun with nothing to do: " + tenancy);
        };
    }

    Step caughtUp(Opening standing, Input.CaughtUp in) {
        return proceed(standing, new Work.Assume(), in.attempt());
    }

    Step assumed(Tenured standing, Input.Assumed in) {
        return proceed(standing, new Work.Draft(factsFor(standing)), in.attempt());
    }

    /** Only the attempt under way gets here: the payload of a late draft was never offered to the engine. */
    Step drafted(Tenured standing, Input.Drafted in) {
        Tenancy tenancy = standing.tenancy();
        if (Deadlines.isPast(tenancy.deadlineNanos(), in.nowNanos())) {
            return expire(standing, "the lease ran out while the duty made its payload", in.nowNanos());
        }
        List<Fact> facts = new ArrayList<>(((Work.Draft) tenancy.work()).facts());
        facts.addAll(in.facts());
        Entry entry = Entry.after(tenancy.head(), rules.seat(), tenancy.term().epoch(), facts, in.payload());
        return proceed(standing, new Work.Append(entry), in.attempt());
    }

    private static Step proceed(Tenured standing, Work stage, long attempt) {
        Tenancy moved = standing.tenancy().at(stage);
        return moved.isCurrent(attempt)
                ? Step.to(standing.with(moved), effectOf(moved))
                : Step.to(standing.with(moved));
    }

    /** INV-11: nothing is released before this: the entry is committed. */
    Step committed(Tenured standing, Input.Committed in) {
        Tenancy moved = standing.tenancy().committedUpTo(in.entry().asHead(), new Work.Release(in.entry()));
        Tenured holder = new Leader(moved);
        if (!moved.isCurrent(in.attempt())) {
            return Step.to(holder);
        }
        long deadlineNanos = timings.lease().deadlineNanos(in.sentNanos());
        if (Deadlines.isPast(deadlineNanos, in.nowNanos())) {
            return lose(holder, "the acknowledgement came after the lease that it renewed", in.nowNanos());
        }
        Tenancy renewed = moved.renewed(deadlineNanos);
        return Step.to(holder.with(renewed), new Effect.ArmWatchdog(renewed.term(), deadlineNanos), effectOf(renewed));
    }

    Step released(Leader standing, Input.Released in) {
        Tenancy rested = standing.tenancy().at(new Work.Rest());
        if (!rested.isCurrent(in.attempt())) {
            return Step.to(standing.with(rested));
        }
        Tenancy succeeded = rested.ended(rested.pulses().succeeded());
        if (succeeded.handoff().isPresent()) {
            return quiesce(standing.with(succeeded), succeeded.handoff().get(), in.nowNanos());
        }
        long nextNanos = succeeded.hurried() ? in.nowNanos() : nextDueNanos(succeeded, in.nowNanos());
        return Step.to(standing.with(succeeded), new Effect.SchedulePulse(nextNanos));
    }

    /** Pulses keep their rhythm; one that is overdue follows at once. */
    private long nextDueNanos(Tenancy tenancy, long nowNanos) {
        return Deadlines.later(nowNanos, tenancy.dueNanos() + timings.interval().toNanos());
    }

    Step failed(Tenured standing, String why, long nowNanos) {
        Tenancy tenancy = standing.tenancy();
        PulseCount counted = tenancy.pulses().failed();
        Tenured failed = standing.with(tenancy.ended(counted));
        if (timings.policy().fences(counted)) {
            return lose(failed, counted.failures() + " failed pulses in a row, the last: " + why, nowNanos);
        }
        return Step.to(failed, new Effect.SchedulePulse(nextDueNanos(tenancy, nowNanos)));
    }

    /** The term ends by failure: the duty stops first, then the seat is given back. */
    Step lose(Tenured standing, String why, long nowNanos) {
        Tenancy tenancy = standing.tenancy();
        return Step.to(
                        new Fenced(
                                why,
                                PulseCount.NONE,
                                tenancy.outlook().afterOwnTerm(tenancy.term(), tenancy.head(), nowNanos)),
                        new Effect.StopDuty(tenancy.term(), why))
                .and(resignation(tenancy, why))
                .and(
                        new Effect.DisarmWatchdog(),
                        new Effect.SchedulePulse(nowNanos + timings.interval().toNanos()))
                .and(refusalOfWish(tenancy, why));
    }

    /** The lease ran out. That is a failure, but not of a holder that had promised to stay still. */
    Step expire(Tenured standing, String why, long nowNanos) {
        return standing instanceof Quiescing
                ? replaced(standing, why, nowNanos)
                        .and(new Effect.Resign(standing.tenancy().term(), why))
                : lose(standing, why, nowNanos);
    }

    /** Another term exists. Whoever promised to stay still expected that; anybody else has to earn its way back. */
    Step replaced(Tenured standing, String why, long nowNanos) {
        Tenancy tenancy = standing.tenancy();
        Outlook outlook = tenancy.outlook().afterOwnTerm(tenancy.term(), tenancy.head(), nowNanos);
        Standing next =
                standing instanceof Quiescing ? new Follower(outlook) : new Fenced(why, PulseCount.NONE, outlook);
        return Step.to(
                        next,
                        new Effect.StopDuty(tenancy.term(), why),
                        new Effect.DisarmWatchdog(),
                        new Effect.SchedulePulse(nowNanos + timings.interval().toNanos()))
                .and(refusalOfWish(tenancy, why));
    }

    Step leave(Tenured standing, String why) {
        Tenancy tenancy = standing.tenancy();
        return Step.to(
                        new Paused(
                                why,
                                tenancy.outlook().afterOwnTerm(tenancy.term(), tenancy.head(), tenancy.dueNanos())),
                        new Effect.StopDuty(tenancy.term(), why))
                .and(resignation(tenancy, why))
                .and(new Effect.DisarmWatchdog())
                .and(refusalOfWish(tenancy, why));
    }

    /**
     * Gives back a seat that was granted and is not wanted.
     *
     * <p>INV-8: a resignation says that whoever may have acted before has stopped, and a successor that never heard of
     * this term relies on it. Where a predecessor has to be waited out, only whoever did so may say that; any other lets
     * the lease run out.
     */
    Effect[] resignation(Term unwanted, String why) {
        return rules.fencing() == Fencing.AT_PROCESS ? new Effect[0] : new Effect[] {new Effect.Resign(unwanted, why)};
    }

    private Effect[] resignation(Tenancy tenancy, String why) {
        return tenancy.hasWaited()
                ? new Effect[] {new Effect.Resign(tenancy.term(), why)}
                : resignation(tenancy.term(), why);
    }

    /** Whoever asked for a handoff that still waits is told that the term ended first. */
    private static Effect[] refusalOfWish(Tenancy tenancy, String why) {
        return tenancy.handoff().stream()
                .map(wish -> new Effect.RefuseHandoff("the term ended before the ticket was issued: " + why))
                .toArray(Effect[]::new);
    }

    /**
     * Issues the ticket. It ends a pulse timeout before the lease does, so that the abort of a handoff that does not
     * take place can still be committed.
     *
     * <p>Where only stopping the process stops the effects, staying still is not enough: the duty is stopped before the
     * ticket exists. It cannot start again before an abort is committed, and cannot draft one while stopped, so an
     * unused ticket ends with giving the seat back.
     */
    Step quiesce(Leader standing, Tenancy.Handoff wish, long nowNanos) {
        Tenancy tenancy = standing.tenancy().handingOff(Optional.empty());
        Duration left = Duration.ofNanos(tenancy.deadlineNanos() - nowNanos).minus(timings.timeout());
        if (!left.isPositive()) {
            return Step.to(
                    new Leader(tenancy),
                    new Effect.RefuseHandoff("too little of the lease is left; ask again after the next pulse"),
                    new Effect.SchedulePulse(nowNanos));
        }
        Duration validFor = wish.validFor().compareTo(left) < 0 ? wish.validFor() : left;
        Ticket ticket = new Ticket(rules.seat(), tenancy.term(), tenancy.head(), wish.target(), validFor);
        long abortNanos = nowNanos + validFor.toNanos();
        Quiescing quiescing = new Quiescing(tenancy.dueAt(abortNanos), ticket);
        List<Effect> effects = new ArrayList<>();
        if (rules.fencing() == Fencing.AT_PROCESS) {
            effects.add(new Effect.StopDuty(tenancy.term(), "handing over to " + wish.target()));
        }
        effects.add(new Effect.IssueTicket(ticket));
        effects.add(new Effect.SchedulePulse(abortNanos));
        return new Step(quiescing, effects);
    }
}
