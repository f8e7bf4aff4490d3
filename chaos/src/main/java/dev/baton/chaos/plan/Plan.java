package dev.baton.chaos.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A schedule of faults, the same for the same seed, always.
 *
 * <p>Time between the warm-up and the quiet tail is cut into rounds. The faults of a round, one to three of different
 * kinds, are all in force at one moment; then the cluster is given a breath, so that each round finds it recovered or
 * shows that it did not recover. What destroys data (see {@link Targets}) only ever strikes a minority.
 *
 * @param faults in order of their beginning
 * @param quietFromNanos when the last fault is over and the quiet tail begins
 */
public record Plan(List<PlannedFault> faults, long quietFromNanos) {

    /** The most faults in force at once. */
    public static final int MOST_AT_ONCE = 3;

    private static final Duration SHORTEST_RUN = Duration.ofSeconds(5);

    public Plan {
        faults = List.copyOf(faults);
    }

    /** The schedule of a run; kinds that do not apply to the cluster are left out. */
    public static Plan of(long seed, Duration lasting, Set<FaultKind> kinds, Topology topology, Pace pace) {
        if (lasting.compareTo(SHORTEST_RUN) < 0) {
            throw new IllegalArgumentException("for: " + lasting + " (expected: " + SHORTEST_RUN + " or longer)");
        }
        List<FaultKind> applicable = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            if (kinds.contains(kind) && Applicability.whyNot(kind, topology).isEmpty()) {
                applicable.add(kind);
            }
        }
        // Short runs have a short beginning and end: never more than half of the time is quiet.
        long beginNanos = Math.min(pace.warmUp().toNanos(), lasting.toNanos() / 6);
        long quietFromNanos = lasting.toNanos() - Math.min(pace.quietTail().toNanos(), lasting.toNanos() / 3);
        if (applicable.isEmpty()) {
            return new Plan(List.of(), beginNanos);
        }
        Dice dice = new Dice(seed);
        List<List<FaultKind>> rounds = rounds(
                countFor(lasting, pace), new Deck(applicable, topology.nodes().size(), dice), dice);
        Targets targets = new Targets(topology, dice);
        long roundNanos = (quietFromNanos - beginNanos) / rounds.size();
        List<PlannedFault> faults = new ArrayList<>();
        for (List<FaultKind> kindsOfRound : rounds) {
            Round round = new Round(beginNanos, roundNanos, pace.lease().toNanos(), dice);
            kindsOfRound.forEach(kind -> faults.add(round.fault(kind, targets)));
            targets.nextRound();
            beginNanos += roundNanos;
        }
        return new Plan(numbered(faults), quietFromNanos);
    }

    private static int countFor(Duration lasting, Pace pace) {
        return Math.max(1, (int) Math.ceilDiv(lasting.toMillis() * pace.perMinute(), 60_000L));
    }

    /** Which kinds come together: two on average, single ones and threes in between, and three at least once. */
    private static List<List<FaultKind>> rounds(int faults, Deck deck, Dice dice) {
        List<List<FaultKind>> rounds = new ArrayList<>();
        int left = faults;
        while (left > 0) {
            int wanted = rounds.isEmpty() ? MOST_AT_ONCE : (int) dice.between(1, MOST_AT_ONCE);
            List<FaultKind> round = deck.draw(Math.min(left, wanted));
            rounds.add(round);
            left -= round.size();
        }
        return dice.shuffled(rounds);
    }

    private static List<PlannedFault> numbered(List<PlannedFault> faults) {
        List<PlannedFault> sorted = new ArrayList<>(faults);
        sorted.sort(Comparator.comparingLong(PlannedFault::atNanos));
        List<PlannedFault> numbered = new ArrayList<>();
        for (PlannedFault each : sorted) {
            numbered.add(new PlannedFault(
                    numbered.size() + 1,
                    each.atNanos(),
                    each.lastingNanos(),
                    each.kind(),
                    each.targets(),
                    each.parameters()));
        }
        return numbered;
    }
}
