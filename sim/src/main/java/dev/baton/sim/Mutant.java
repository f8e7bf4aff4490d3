package dev.baton.sim;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.quorum.QuorumRules;
import dev.baton.core.NodeId;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * A rule broken on purpose, and the world in which that shows. The judge must notice each of them: one that nobody
 * misses is no rule.
 */
public enum Mutant {
    /** An append is acknowledged when it is sent. */
    ACKNOWLEDGED_BEFORE_COMMIT(Place.MEMORY),
    /** A refusal by epoch is taken for a success. */
    FENCED_TAKEN_FOR_COMMITTED(Place.MEMORY),
    /** "We do not know" is taken for a success. */
    UNKNOWN_TAKEN_FOR_COMMITTED(Place.MEMORY),
    /** A new holder begins anew instead of at the recovered head. */
    HEAD_FORGOTTEN(Place.MEMORY),
    /** A lease deadline runs from a time long after the send. */
    DEADLINE_IGNORED(Place.MEMORY),
    /** A restarted process goes on as the incarnation that it was before. */
    TERM_RESUMED_AFTER_RESTART(Place.MEMORY),
    /** A holder that says nothing for a while is taken for dead, though its lease runs. */
    SILENCE_TRUSTED(Place.REDIS_3),

    /** A Redis node hears every epoch, whatever it promised. */
    EPOCH_CHECK_DROPPED(Place.REDIS_3),
    /** An entry once accepted never gives way, not even to a higher ballot. */
    NEVER_OVERWRITTEN(Place.REDIS_5),
    /** A Redis node that may have forgotten something votes on as if nothing had happened. */
    BLANK_NODES_VOTE(Place.FORGETFUL_REDIS_3),
    /** A Redis node says that it has written to its disk, and has not. */
    ACKNOWLEDGED_BEFORE_DISK(Place.REDIS_3),
    /** Any node that answers to an entry counts as having it. */
    ANY_ANSWER_COUNTS(Place.REDIS_3),
    /** An append that no quorum acknowledged counts as committed. */
    NO_QUORUM_COUNTS(Place.REDIS_3),
    /** Half of the nodes are enough. */
    HALF_IS_A_QUORUM(Place.REDIS_4),
    /** One more than a majority is needed, so a minority that fails stops everything. */
    QUORUM_OF_ONE_MORE(Place.REDIS_3),
    /** The last entry is taken for committed as it is found. */
    RECOVERY_SKIPPED(Place.REDIS_3),
    /** Recovery picks the entry that most nodes have. */
    PICKED_BY_COUNT(Place.LOSSY_REDIS_5),
    /** Recovery picks the entry of the lowest ballot. */
    PICKED_BY_AGE(Place.LOSSY_REDIS_5),
    /** A new member votes before it has the last committed entry. */
    ADMITTED_WITHOUT_TIP(Place.CHANGING_REDIS_3),
    /** A node that forgot is admitted again under its old id, and the node set stays as it is. */
    READMITTED_UNDER_OLD_ID(Place.FORGETFUL_REDIS_3),
    /** A leader installs a node set of which no quorum stands behind it. */
    INSTALLED_WITHOUT_QUORUM(Place.CHANGING_REDIS_3),
    /** A candidate needs no quorum of the node set that its best tip installs. */
    ELECTED_WITHOUT_NEXT_SET(Place.CHANGING_REDIS_3),
    /** A candidate needs no quorum of the node set that governs its best tip. */
    ELECTED_WITHOUT_GOVERNING_SET(Place.CHANGING_REDIS_3);

    /** Where broken rules show. */
    private enum Place {
        MEMORY,
        REDIS_3,
        REDIS_4,
        REDIS_5,
        LOSSY_REDIS_5,
        FORGETFUL_REDIS_3,
        CHANGING_REDIS_3;

        Scenario scenario() {
            return switch (this) {
                case MEMORY -> Scenario.standard();
                case REDIS_3 -> Scenario.redis(3, Fsync.ALWAYS);
                case REDIS_4 -> Scenario.redis(4, Fsync.ALWAYS);
                case REDIS_5 -> Scenario.redis(5, Fsync.ALWAYS);
                case LOSSY_REDIS_5 ->
                    Scenario.redis(new Engine.Redis(5, 0, Fsync.ALWAYS, false, false, RedisFaults.LOSSY)).with(Scenario.Faults.CONTENDED);
                case FORGETFUL_REDIS_3 ->
                    Scenario.redis(new Engine.Redis(3, 0, Fsync.LATER, true, false, RedisFaults.ROUGH));
                case CHANGING_REDIS_3 ->
                    Scenario.redis(new Engine.Redis(3, 2, Fsync.ALWAYS, false, false, RedisFaults.SPLIT));
            };
        }
    }

    private final Place place;

    Mutant(Place place) {
        this.place = place;
    }

    /** The world in which this broken rule shows. */
    public Scenario scenario() {
        return place.scenario().with(this);
    }

    /** The first outcome among these seeds that shows the broken rule. */
    public Optional<Outcome> caughtWithin(long firstSeed, long lastSeed) {
        return LongStream.rangeClosed(firstSeed, lastSeed)
                .mapToObj(seed -> Simulation.runQuietly(scenario(), seed))
                .filter(outcome -> !outcome.passed())
                .findFirst();
    }

    /** The engine as a node with this mutation takes it. */
    SeatAuthority spoil(SeatAuthority engine, NodeId self, LongSupplier nanos) {
        return SpoiledAuthority.of(this, engine, self, nanos);
    }

    /** A Redis node's rules with this mutation. */
    Acceptor acceptor() {
        return SpoiledAcceptor.of(this);
    }

    /** The rules for answers of several nodes with this mutation. */
    QuorumRules rules() {
        return SpoiledRules.of(this);
    }
}
