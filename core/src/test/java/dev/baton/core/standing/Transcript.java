package dev.baton.core.standing;

import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays a script of inputs and writes down what the machine makes of them.
 *
 * <p>Each script line is a time in milliseconds and an input. Each line of the transcript repeats it, names the
 * standing if that changed, and lists the effects below, one per line. The monotonic clock overflows after 1.5 seconds
 * of every script, so no comparison of times may rely on its sign.
 */
final class Transcript {

    static final SeatId SEAT = SeatId.of("testnet", "blocks");
    static final NodeId SELF = new NodeId("n1");
    static final long BASE_NANOS = Long.MAX_VALUE - 1_500_000_000L;

    /** A pulse a second that may take half of one; two failures fence; the lease ends 3958 ms after the send. */
    static final SeatTimings TIMINGS = new SeatTimings(
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            PulsePolicy.DEFAULT,
            Duration.ZERO,
            Duration.ofMillis(250),
            new BigDecimal("1.01"),
            Optional.of(Duration.ofSeconds(4)));

    private final StandingMachine machine;
    private final StringBuilder text = new StringBuilder();
    private final List<Effect> effects = new ArrayList<>();
    private Standing standing = StandingMachine.initial(BASE_NANOS);
    private @Nullable Entry offered;
    private @Nullable Ticket ticket;

    Transcript(Fencing fencing) {
        this.machine = new StandingMachine(rules(fencing));
    }

    static SeatRules rules(Fencing fencing) {
        return new SeatRules(SEAT, SELF, fencing, TIMINGS, SeatRules.DEFAULT_POLL);
    }

    static String of(Fencing fencing, String script) {
        return new Transcript(fencing).play(script).text();
    }

    /** Plays the script and forgets what came before it: only what follows is of interest. */
    Transcript after(String script) {
        play(script);
        text.setLength(0);
        effects.clear();
        return this;
    }

    Transcript play(String script) {
        script.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(this::line);
        return this;
    }

    String text() {
        return text.toString();
    }

    Standing standing() {
        return standing;
    }

    List<Effect> effects() {
        return effects;
    }

    private void line(String line) {
        String[] words = line.split("\\s+", 2);
        String before = describe(standing);
        Step step = machine.step(standing, input(words[1], nanos(Long.parseLong(words[0]))));
        standing = step.next();
        String after = describe(standing);
        text.append("%5s %s%s\n".formatted(words[0], words[1], after.equals(before) ? "" : " -> " + after));
        for (Effect effect : step.effects()) {
            effects.add(effect);
            text.append("        ").append(describe(effect)).append('\n');
        }
    }

    static long nanos(long millis) {
        return BASE_NANOS + millis * 1_000_000;
    }

    private static String millis(long nanos) {
        return (nanos - BASE_NANOS) / 1_000_000 + "";
    }

    private Input input(String words, long now) {
        String[] w = words.split(" ", -1);
        return switch (w[0]) {
            case "ready" -> new Input.ReadinessChanged(new Readiness.Ready(), now);
            case "unready" -> new Input.ReadinessChanged(new Readiness.NotReady("behind"), now);
            case "vacated" -> new Input.SeatVacated(ending(w[1]), now);
            case "taken" -> new Input.SeatTaken(seating(w[1]), now);
            case "advanced" -> new Input.HeadAdvanced(head(Long.parseLong(w[1])), now);
            case "elected" ->
                new Input.Elected(
                        seating(w[1] + ":n1"),
                        w.length > 3 ? head(Long.parseLong(w[3])) : Head.GENESIS,
                        ending(w[2]),
                        w.length > 4 ? nanos(Long.parseLong(w[4])) : now,
                        now,
                        0);
            case "refused" -> new Input.NotElected("not now", false, now);
            case "held" -> new Input.NotElected("held", true, now);
            case "caught-up" -> new Input.CaughtUp(Long.parseLong(w[1]), now);
            case "assumed" -> new Input.Assumed(Long.parseLong(w[1]), now);
            case "drafted" -> new Input.Drafted(Long.parseLong(w[1]), Bytes.utf8(w[2]), List.of(), now);
            case "committed" ->
                new Input.Committed(
                        Long.parseLong(w[1]), entry(), w.length > 2 ? nanos(Long.parseLong(w[2])) : now, now);
            case "released" -> new Input.Released(Long.parseLong(w[1]), now);
            case "failed" -> new Input.WorkFailed(Long.parseLong(w[1]), "no answer", now);
            case "timeout" -> new Input.PulseTimedOut(Long.parseLong(w[1]), now);
            case "wanted" -> new Input.PulseWanted(now);
            case "probed" -> new Input.Probed(w[1].equals("well"), "", now);
            case "due" -> new Input.PulseDue(now, now);
            case "deadline" -> new Input.DeadlinePassed(seating(w[1] + ":n1").term(), now);
            case "fenced-off" ->
                new Input.FencedOff(seating(w[1] + ":n1").term(), new Epoch(Long.parseLong(w[2])), now);
            case "pause" -> new Input.Pause("maintenance");
            case "resume" -> new Input.Resume(now);
            case "handoff" -> new Input.HandoffAsked(new NodeId(w[1]), Duration.ofMillis(Long.parseLong(w[2])), now);
            case "abort" -> new Input.AbortAsked(now);
            case "ticket" -> new Input.TicketReceived(ticketFor(w[1]), now);
            case "evidence" -> new Input.EvidenceSeen(seating(w[1]).term(), now);
            case "broken" -> new Input.InvariantBroken("two entries at one height");
            default -> throw new IllegalArgumentException("script: \"" + words + "\" (expected: an input)");
        };
    }

    private Entry entry() {
        if (offered == null) {
            throw new IllegalStateException("script: committed before anything was appended");
        }
        return offered;
    }

    private static Ending ending(String word) {
        return Ending.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** "4:n2" is the seating of node n2 in epoch 4. */
    static Seating seating(String word) {
        String[] parts = word.split(":", -1);
        Holder holder = new Holder(new NodeId(parts[1]), new Incarnation(1));
        return new Seating(new Term(new Epoch(Long.parseLong(parts[0])), holder), "");
    }

    static Head head(long height) {
        return height == 0 ? Head.GENESIS : new Head(new Height(height), Hash.sha256(Bytes.utf8("head " + height)));
    }

    private static Ticket ticketFor(String target) {
        return new Ticket(SEAT, seating("1:n2").term(), head(3), new NodeId(target), Duration.ofSeconds(1));
    }

    private static String describe(Standing standing) {
        String name = standing.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return switch (standing) {
            case Standing.Tenured tenured -> {
                Tenancy tenancy = tenured.tenancy();
                yield name + " (" + describe(tenancy.work()) + ", " + tenancy.pulses() + ")";
            }
            case Standing.Fenced fenced -> name + " (" + fenced.probes() + ")";
            case Standing.Follower ignored -> name;
            case Standing.Asking ignored -> name;
            case Standing.Paused ignored -> name;
        };
    }

    private static String describe(Work work) {
        return switch (work) {
            case Work.Wait(long until) -> "wait until " + millis(until);
            case Work.CatchUp() -> "catch up";
            case Work.Assume() -> "assume";
            case Work.Rest() -> "rest";
            case Work.Draft ignored -> "draft";
            case Work.Append(Entry entry) -> "append " + entry.height();
            case Work.Release(Entry entry) -> "release " + entry.height();
        };
    }

    private String describe(Effect effect) {
        return switch (effect) {
            case Effect.Look() -> "look";
            case Effect.Promote(Claim claim) ->
                "promote by " + claim.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            case Effect.Resign(Term term, String why) -> "resign " + term + ": " + why;
            case Effect.StopDuty(Term term, String why) -> "STOP DUTY " + term + ": " + why;
            case Effect.CatchUp(long attempt, Head head) -> "catch up #" + attempt + " to " + head.height();
            case Effect.Assume(long attempt, Term term, Head head) ->
                "assume #" + attempt + " " + term + " at " + head.height();
            case Effect.Draft(long attempt) -> "draft #" + attempt;
            case Effect.Append(long attempt, Term term, Entry entry) -> {
                offered = entry;
                yield "append #" + attempt + " " + term + " " + describe(entry);
            }
            case Effect.Release(long attempt, Entry entry) -> "release #" + attempt + " " + describe(entry);
            case Effect.Probe() -> "probe";
            case Effect.SchedulePulse(long at) -> "pulse at " + millis(at);
            case Effect.ScheduleTimeout(long attempt, long at) -> "timeout #" + attempt + " at " + millis(at);
            case Effect.ArmWatchdog(Term term, long deadline) -> "watchdog " + term + " at " + millis(deadline);
            case Effect.DisarmWatchdog() -> "watchdog off";
            case Effect.IssueTicket(Ticket issued) -> {
                ticket = issued;
                yield "ticket for " + issued.target() + ": term " + issued.term() + ", head "
                        + issued.head().height() + ", valid for "
                        + issued.validFor().toMillis();
            }
            case Effect.RefuseHandoff(String why) -> "refuse: " + why;
            case Effect.Alarm(String what) -> "ALARM: " + what;
        };
    }

    private static String describe(Entry entry) {
        String facts = entry.facts().stream().map(Transcript::describe).collect(Collectors.joining(" "));
        return entry.height() + ":" + entry.payload().toUtf8() + (facts.isEmpty() ? "" : " [" + facts + "]");
    }

    private static String describe(Fact fact) {
        return fact.getClass().getSimpleName();
    }

    Ticket ticket() {
        if (ticket == null) {
            throw new IllegalStateException("script: no ticket was issued");
        }
        return ticket;
    }
}
