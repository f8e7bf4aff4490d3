package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Seated;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the sights of several nodes say together.
 *
 * @param holder who holds the seat; empty if it can be taken
 * @param certain whether a quorum says the same, so that waiting for further nodes changes nothing
 * @param head the last entry that is surely committed
 * @param freeIn when the seat becomes free if nobody renews it
 */
record Picture(
        Optional<Seating> holder,
        boolean certain,
        Head head,
        Height oldest,
        Ending lastEnded,
        Optional<Duration> freeIn) {

    /** Empty unless a quorum was seen of the set that decides next. */
    static Optional<Picture> of(QuorumRules rules, Collection<Sight> sights) {
        Optional<Sight> best =
                rules.best(sights).filter(newest -> newest.next().hasQuorumAmong(QuorumRules.members(sights)));
        return best.map(newest -> paint(rules, newest, sights));
    }

    private static Picture paint(QuorumRules rules, Sight best, Collection<Sight> all) {
        List<Sight> voters = all.stream()
                .filter(sight -> best.next().contains(sight.member()))
                .toList();
        int quorum = best.next().quorum();
        long free = voters.stream().filter(sight -> sight.seat().isEmpty()).count();
        Optional<Seating> sitting = mostSeen(voters);
        boolean vacant = free >= quorum;
        boolean held =
                sitting.map(seating -> timesSeen(seating, voters) >= quorum).orElse(false);
        return new Picture(
                vacant ? Optional.empty() : sitting,
                vacant || held,
                committedHead(rules, best, all),
                oldest(voters),
                lastEnded(all),
                freeIn(best, voters));
    }

    /** A candidate that got only a few nodes does not hide the holder that most of them know. */
    private static Optional<Seating> mostSeen(List<Sight> voters) {
        Map<Seating, Integer> seen = new HashMap<>();
        voters.forEach(sight -> sight.seat().ifPresent(seat -> seen.merge(seat.seating(), 1, Integer::sum)));
        return seen.entrySet().stream()
                .max(Map.Entry.<Seating, Integer>comparingByValue()
                        .thenComparing(entry -> entry.getKey().term().epoch()))
                .map(Map.Entry::getKey);
    }

    private static long timesSeen(Seating seating, List<Sight> voters) {
        return voters.stream()
                .filter(sight -> sight.seat().map(Seated::seating).equals(Optional.of(seating)))
                .count();
    }

    private static Head committedHead(QuorumRules rules, Sight best, Collection<Sight> sights) {
        if (best.tip().isEmpty()) {
            return Head.GENESIS;
        }
        return rules.isChosen(best, sights) ? best.head() : best.tip().get().committedBelow();
    }

    /** The middle one: a node that has not trimmed yet, or that was rebased, does not speak for the others. */
    private static Height oldest(List<Sight> voters) {
        List<Height> sorted = voters.stream().map(Sight::oldest).sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** A term counts as resigned only if no higher one may have been elected since. */
    static Ending lastEnded(Collection<Sight> sights) {
        Epoch open =
                sights.stream().map(Sight::open).max(Comparator.naturalOrder()).orElse(Epoch.NONE);
        Epoch ended =
                sights.stream().map(Sight::ended).max(Comparator.naturalOrder()).orElse(Epoch.NONE);
        if (open.isAbove(ended)) {
            return Ending.LAPSED;
        }
        return ended.equals(Epoch.NONE) ? Ending.NONE : Ending.RESIGNED;
    }

    private static Optional<Duration> freeIn(Sight best, List<Sight> voters) {
        List<Duration> left = voters.stream()
                .map(sight -> sight.seat().map(Seated::left).orElse(Duration.ZERO))
                .sorted()
                .toList();
        int quorum = best.next().quorum();
        return left.size() < quorum ? Optional.empty() : Optional.of(left.get(quorum - 1));
    }
}
