package dev.baton.core.standing;

import static dev.baton.core.standing.Transcript.SEAT;
import static dev.baton.core.standing.Transcript.head;
import static dev.baton.core.standing.Transcript.nanos;
import static dev.baton.core.standing.Transcript.seating;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A driver, a duty, an engine and people, as far as one machine sees them: remembers what is under way and turns a
 * number into the next thing that happens.
 */
final class Weather {

    private static final int LONGEST_MEMORY = 6;

    final StandingMachine machine;
    Standing standing = StandingMachine.initial(nanos(0));
    private long nowMillis;
    private long epochs = 10;
    private long drafts;
    private OptionalLong pulseAtNanos = OptionalLong.of(nanos(0));
    private OptionalLong deadlineNanos = OptionalLong.empty();
    private final Map<Long, Long> timeouts = new TreeMap<>();
    private int promotions;
    private int looks;
    private int probes;
    private final List<Effect> underWay = new ArrayList<>();
    private final List<Seating> granted = new ArrayList<>();

    Weather(Fencing fencing) {
        this.machine = new StandingMachine(Transcript.rules(fencing));
    }

    private long now() {
        return nanos(nowMillis);
    }

    boolean pulseIsSet() {
        return pulseAtNanos.isPresent();
    }

    boolean promotionIsUnderWay() {
        return promotions > 0;
    }

    boolean timeoutIsSet(long attempt) {
        return timeouts.containsKey(attempt);
    }

    Step take(Input input) {
        Step step = machine.step(standing, input);
        standing = step.next();
        step.effects().forEach(this::remember);
        return step;
    }

    private void remember(Effect effect) {
        switch (effect) {
            case Effect.SchedulePulse(long at) -> pulseAtNanos = OptionalLong.of(at);
            case Effect.ScheduleTimeout(long attempt, long at) -> timeouts.put(attempt, at);
            case Effect.ArmWatchdog(Term ignored, long at) -> deadlineNanos = OptionalLong.of(at);
            case Effect.DisarmWatchdog() -> deadlineNanos = OptionalLong.empty();
            case Effect.Promote ignored -> promotions++;
            case Effect.Look() -> looks++;
            case Effect.Probe() -> probes++;
            case Effect.CatchUp ignored -> begin(effect);
            case Effect.Assume ignored -> begin(effect);
            case Effect.Draft ignored -> begin(effect);
            case Effect.Append ignored -> begin(effect);
            case Effect.Release ignored -> begin(effect);
            case Effect.Resign ignored -> {}
            case Effect.StopDuty ignored -> {}
            case Effect.IssueTicket ignored -> {}
            case Effect.RefuseHandoff ignored -> {}
            case Effect.Alarm ignored -> {}
        }
    }

    private void begin(Effect effect) {
        underWay.add(effect);
        if (underWay.size() > LONGEST_MEMORY) {
            underWay.removeFirst();
        }
    }

    /** Any weather: answers in any order, twice or never; timers; the engine, peers and people at their worst. */
    Input next(int choice) {
        int argument = choice / 32;
        nowMillis += argument % 7;
        return switch (choice % 32) {
            case 0, 1, 2, 3, 4, 5, 6 -> nextTimer();
            case 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 -> answer(argument, argument % 8 != 0);
            case 17, 18, 19 -> promotionAnswer(argument);
            case 20 -> new Input.Probed(argument % 4 != 0, "", now());
            case 21 -> new Input.SeatVacated(Ending.ofCode(argument % 5), now());
            case 22 ->
                new Input.ReadinessChanged(
                        argument % 4 == 0 ? new Readiness.NotReady("behind") : new Readiness.Ready(), now());
            case 23 -> new Input.PulseWanted(now());
            case 24 -> new Input.HandoffAsked(new NodeId("n2"), Duration.ofMillis(argument % 5_000), now());
            case 25 -> new Input.AbortAsked(now());
            case 26 -> new Input.HeadAdvanced(head(argument), now());
            case 27 -> rareEvent(argument);
            case 28 -> new Input.Resume(now());
            case 29 -> new Input.EvidenceSeen(seating("3:n2").term(), now());
            case 30 ->
                new Input.TicketReceived(
                        new Ticket(SEAT, seating("3:n2").term(), head(1), Transcript.SELF, Duration.ofSeconds(1)),
                        now());
            default -> {
                nowMillis += argument % 2_000;
                yield nextTimer();
            }
        };
    }

    private Input rareEvent(int argument) {
        Term own = standing instanceof Standing.Tenured tenured
                ? tenured.tenancy().term()
                : seating("9:n1").term();
        return switch (argument % 6) {
            case 0 -> new Input.SeatTaken(seating(++epochs + ":n2"), now());
            case 1 -> new Input.FencedOff(own, new Epoch(++epochs), now());
            case 2 -> new Input.Pause("maintenance");
            case 3 -> new Input.DeadlinePassed(own, now());
            case 4 -> new Input.InvariantBroken("rare");
            default -> new Input.SeatTaken(seating("1:n2"), now());
        };
    }

    /** The next timer that is set, and the clock with it. */
    private Input nextTimer() {
        if (deadlineNanos.isPresent()
                && now() - deadlineNanos.getAsLong() >= 0
                && standing instanceof Standing.Tenured tenured) {
            return new Input.DeadlinePassed(tenured.tenancy().term(), now());
        }
        Map.Entry<Long, Long> timeout = null;
        for (Map.Entry<Long, Long> candidate : timeouts.entrySet()) {
            timeout = candidate;
            break;
        }
        if (timeout != null && (pulseAtNanos.isEmpty() || timeout.getValue() - pulseAtNanos.getAsLong() < 0)) {
            timeouts.remove(timeout.getKey());
            passUntil(timeout.getValue());
            return new Input.PulseTimedOut(timeout.getKey(), now());
        }
        if (pulseAtNanos.isPresent()) {
            long due = pulseAtNanos.getAsLong();
            pulseAtNanos = OptionalLong.empty();
            passUntil(due);
            return new Input.PulseDue(due, now());
        }
        return new Input.PulseWanted(now());
    }

    private void passUntil(long nanos) {
        long late = nanos - now();
        nowMillis += late > 0 ? (late + 999_999) / 1_000_000 : 0;
    }

    private Input answer(int argument, boolean well) {
        if (underWay.isEmpty()) {
            return nextTimer();
        }
        // Mostly the latest, and now and then the same one again.
        int index = argument % 3 == 0 ? argument / 3 % underWay.size() : underWay.size() - 1;
        Effect effect = argument % 5 == 0 ? underWay.get(index) : underWay.remove(index);
        return well ? answerTo(effect) : new Input.WorkFailed(attemptOf(effect), "no answer", now());
    }

    private Input answerTo(Effect effect) {
        return switch (effect) {
            case Effect.CatchUp(long attempt, Head ignored) -> new Input.CaughtUp(attempt, now());
            case Effect.Assume(long attempt, Term ignored, Head alsoIgnored) -> new Input.Assumed(attempt, now());
            case Effect.Draft(long attempt) ->
                new Input.Drafted(attempt, Bytes.utf8("draft " + ++drafts), List.of(), now());
            case Effect.Append(long attempt, Term ignored, Entry entry) ->
                new Input.Committed(attempt, entry, nanos(nowMillis - drafts % 9), now());
            case Effect.Release(long attempt, Entry ignored) -> new Input.Released(attempt, now());
            default -> throw new IllegalStateException("not numbered: " + effect);
        };
    }

    private static long attemptOf(Effect effect) {
        return switch (effect) {
            case Effect.CatchUp(long attempt, Head ignored) -> attempt;
            case Effect.Assume(long attempt, Term ignored, Head alsoIgnored) -> attempt;
            case Effect.Draft(long attempt) -> attempt;
            case Effect.Append(long attempt, Term ignored, Entry alsoIgnored) -> attempt;
            case Effect.Release(long attempt, Entry ignored) -> attempt;
            default -> throw new IllegalStateException("not numbered: " + effect);
        };
    }

    private Input promotionAnswer(int argument) {
        if (promotions == 0) {
            return nextTimer();
        }
        promotions--;
        return switch (argument % 5) {
            case 0 -> new Input.NotElected("held", argument % 2 == 0, now());
            case 1 -> elected(granted.isEmpty() ? grant() : granted.getLast(), argument);
            default -> elected(renewalOrGrant(), argument);
        };
    }

    private Seating renewalOrGrant() {
        return standing instanceof Standing.Tenured ? granted.getLast() : grant();
    }

    private Seating grant() {
        granted.add(seating(++epochs + ":n1"));
        return granted.getLast();
    }

    private Input elected(Seating seating, int argument) {
        long sent = nanos(nowMillis - argument % 400);
        return new Input.Elected(seating, head(2), Ending.ofCode(argument % 5), sent, now(), 0);
    }

    /** Good weather: everything is answered, in order and well; only this node wants the seat. */
    Input nextOfGoodWeather() {
        nowMillis++;
        if (standing instanceof Standing.Paused) {
            return new Input.Resume(now());
        }
        if (!standing.outlook().readiness().isReady()) {
            return new Input.ReadinessChanged(new Readiness.Ready(), now());
        }
        if (!underWay.isEmpty()) {
            return answerTo(underWay.removeFirst());
        }
        if (promotions > 0) {
            promotions--;
            return elected(renewalOrGrant(), 3);
        }
        if (looks > 0) {
            looks--;
            return new Input.SeatVacated(Ending.LAPSED, now());
        }
        if (probes > 0) {
            probes--;
            return new Input.Probed(true, "", now());
        }
        return nextTimer();
    }
}
