package dev.baton.duty.postgres;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which standbys a primary waits for, and which nodes the ledger may call complete.
 *
 * <p>INV-24: the primary waits for every standby that the ledger calls complete. So one is added to the primary's list
 * first, and to the ledger's when it has everything; and it is taken off the ledger's list first, and off the primary's
 * when that is committed.
 */
final class SyncStandbys {

    /** A standby that is away for a moment is waited for; longer would only hold up the clients. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /**
     * @param waitFor whom the primary waits for
     * @param complete whom the ledger should name, besides the primary
     */
    record Plan(Set<String> waitFor, Set<String> complete) {}

    private @Nullable String candidate;
    private Lsn candidateNeeds = Lsn.ZERO;
    private long awaySinceNanos;
    private boolean away;

    /**
     * @param committed whom the ledger names now, besides the primary
     * @param followers the standbys that stream from this primary
     * @param position where the primary is
     * @param wanted a node that shall become complete besides whoever is, because it is to take over; empty for none
     */
    Plan next(Set<String> committed, List<Database.Follower> followers, Lsn position, String wanted, long nowNanos) {
        Set<String> present = followers.stream().map(Database.Follower::node).collect(Collectors.toSet());
        Set<String> complete = new TreeSet<>(committed);
        boolean missing = !present.containsAll(committed);
        if (missing && !away) {
            awaySinceNanos = nowNanos;
        }
        away = missing;
        if (missing && nowNanos - awaySinceNanos > GRACE.toNanos()) {
            complete.retainAll(present);
        }
        if (complete.contains(wanted)) {
            complete.retainAll(Set.of(wanted)); // after it has taken over, it would have to wait for the others
        }
        Set<String> waitFor = new TreeSet<>(committed);
        boolean lacksWanted = present.contains(wanted) && !complete.contains(wanted);
        if (complete.isEmpty() || lacksWanted) {
            newcomer(followers, position, lacksWanted ? wanted : "").ifPresent(waitFor::add);
            followers.stream()
                    .filter(follower -> follower.node().equals(candidate))
                    .filter(follower ->
                            follower.synchronous() && follower.flushed().compareTo(candidateNeeds) >= 0)
                    .forEach(follower -> complete.add(follower.node()));
        } else {
            candidate = null;
        }
        return new Plan(waitFor, complete);
    }

    /** The one that is wanted, or the one that is furthest; it stays the candidate for as long as it is there. */
    private Optional<String> newcomer(List<Database.Follower> followers, Lsn position, String wanted) {
        boolean stays = followers.stream().anyMatch(follower -> follower.node().equals(candidate));
        if (!wanted.isEmpty()) {
            if (!wanted.equals(candidate)) {
                candidate = wanted;
                candidateNeeds = position;
            }
        } else if (!stays) {
            candidate = followers.stream()
                    .max((one, other) -> one.flushed().compareTo(other.flushed()))
                    .map(Database.Follower::node)
                    .orElse(null);
            candidateNeeds = position;
        }
        return Optional.ofNullable(candidate);
    }

    /** What no standby is called: commits wait until there is one that the ledger names. */
    private static final String NOBODY = "\"nobody is complete\"";

    /** PostgreSQL's way to say: all of these. */
    static String names(Set<String> waitFor, PostgresSettings.Mode mode) {
        if (mode == PostgresSettings.Mode.ASYNCHRONOUS) {
            return "";
        }
        if (waitFor.isEmpty()) {
            return mode == PostgresSettings.Mode.STRICT ? NOBODY : "";
        }
        return "FIRST " + waitFor.size() + " ("
                + waitFor.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", ")) + ")";
    }
}
