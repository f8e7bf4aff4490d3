package dev.baton.authority.redis.quorum;

import dev.baton.authority.Appended;
import dev.baton.authority.Trim;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A term that this process won, as long as it knows nothing better.
 *
 * <p>INV-5: while one entry is undecided, no other one is sent at its height under this epoch.
 */
final class Tenure {

    private final QuorumSettings settings;
    private final QuorumRules rules;
    private final Roster roster;
    private final Surroundings surroundings;
    private final Seating seating;
    private final Ending predecessorEnded;
    private final Set<MemberId> standing;
    private final Upkeep upkeep;
    private Set<MemberId> upToDate;
    private MemberSet below;
    private MemberSet next;
    private Head head;
    private Optional<Entry> tip;
    private @Nullable Entry undecided;

    Tenure(
            QuorumSettings settings,
            QuorumRules rules,
            Roster roster,
            Surroundings surroundings,
            Candidacy.Won won,
            Consumer<Optional<MemberSet>> proposes) {
        this.settings = settings;
        this.rules = rules;
        this.roster = roster;
        this.surroundings = surroundings;
        this.seating = won.seating();
        this.predecessorEnded = won.predecessorEnded();
        this.standing = new HashSet<>(won.standing());
        this.upToDate = Set.copyOf(won.upToDate());
        this.below = won.below();
        this.next = won.next();
        this.head = won.head();
        this.tip = won.tip();
        this.upkeep = new Upkeep(rules, roster, surroundings, this, proposes);
    }

    Term term() {
        return seating.term();
    }

    Seating seating() {
        return seating;
    }

    Ending predecessorEnded() {
        return predecessorEnded;
    }

    Head head() {
        return head;
    }

    /** The last committed entry. */
    Optional<Entry> tip() {
        return tip;
    }

    /** Who decides the next height. */
    MemberSet members() {
        return next;
    }

    /** Who decided the head's height. */
    MemberSet membersBelowHead() {
        return below;
    }

    Set<MemberId> standing() {
        return standing;
    }

    /** Whoever surely has the head. */
    Set<MemberId> upToDate() {
        return upToDate;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** INV-3: only an entry that follows the head, or one that was sent before, goes out. */
    void append(Entry entry, Consumer<Appended> then) {
        if (undecided != null && !undecided.equals(entry) && !entry.height().isBelow(undecided.height())) {
            then.accept(new Appended.Indeterminate(
                    "another entry at height " + undecided.height() + " is not decided yet: " + undecided));
            return;
        }
        boolean again = !entry.height().isAbove(head.height());
        if (!again && !entry.follows(head)) {
            contradict(entry, "it does not follow the head", then);
            return;
        }
        Optional<MemberSet> installs = MemberSet.installedBy(entry);
        if (!again && !installs.map(set -> rules.mayInstall(set, standing)).orElse(true)) {
            then.accept(new Appended.Unavailable("too few of the nodes in " + installs.get() + " stand behind " + term()
                    + " (expected: a quorum of the new set)"));
            return;
        }
        boolean mayBeThere = again || undecided != null;
        if (!again) {
            undecided = entry;
        }
        new Appending(rules, roster, surroundings, next, upkeep.learners())
                .begin(
                        seating,
                        entry,
                        settings.lease(),
                        (count, appending) -> then.accept(outcome(count, appending, entry, mayBeThere)),
                        heard -> heard(heard, entry));
    }

    private Appended outcome(QuorumRules.Count count, Appending appending, Entry entry, boolean mayBeThere) {
        return switch (count) {
            case COMMITTED -> {
                if (entry.height().isAbove(head.height())) {
                    committed(entry, appending.acceptedBy());
                }
                yield new Appended.Committed(entry, appending.sentNanos());
            }
            case FENCED -> new Appended.Fenced(by());
            case OTHERWISE -> new Appended.Conflict(head, "a quorum of nodes has another entry at " + entry.height());
            case UNKNOWN -> {
                if (mayBeThere || appending.wasSent()) {
                    yield new Appended.Indeterminate(roster.troubles());
                }
                undecided = null;
                yield new Appended.Unavailable(roster.troubles());
            }
            case OPEN -> throw new IllegalStateException("told before the end");
        };
    }

    /** A higher epoch that any node has told of; at least the own one. */
    private Epoch by() {
        return roster.highest();
    }

    private void committed(Entry entry, Set<MemberId> accepted) {
        head = entry.asHead();
        tip = Optional.of(entry);
        undecided = null;
        upToDate = Set.copyOf(accepted);
        below = next;
        MemberSet.installedBy(entry).ifPresent(set -> {
            next = set;
            upkeep.installed(set);
        });
    }

    private void heard(Round.Heard heard, Entry entry) {
        switch (heard.answer()) {
            case Answer.Accepted ignored -> {
                standing.add(heard.member());
                upkeep.reached(heard.member(), entry.asHead());
            }
            case Answer.Behind behind -> upkeep.behind(heard.node(), heard.member(), behind.tip());
            case Answer.Blank ignored -> upkeep.blank(heard.node(), heard.member());
            case Answer.Other ignored -> upkeep.blank(heard.node(), heard.member());
            case Answer.Unsent ignored -> heard.node().introduce();
            case Answer.Lost ignored -> heard.node().introduce();
            default -> {}
        }
    }

    /** The term may be over all the same: then that is the answer, whatever was offered. Only looks. */
    private void contradict(Entry entry, String why, Consumer<Appended> then) {
        Asking.all(next, roster, surroundings, member -> new Ask.Peek(member.id()), (round, over) -> {
            List<Answer.Seen> seen = round.all(Answer.Seen.class);
            long replaced = seen.stream()
                    .filter(answer -> answer.sight().promised().isAbove(term().epoch()))
                    .count();
            if (next.members().size() - replaced < next.quorum()) {
                then.accept(new Appended.Fenced(by()));
                return true;
            }
            if (seen.size() - replaced >= next.quorum()) {
                then.accept(new Appended.Conflict(head, entry + ": " + why));
                return true;
            }
            if (over) {
                then.accept(new Appended.Indeterminate(roster.troubles()));
            }
            return over;
        });
    }

    void trim(Height belowHeight, Consumer<Trim> then) {
        Asking.all(
                next, roster, surroundings, member -> new Ask.Trim(member.id(), term(), belowHeight), (round, over) -> {
                    List<Answer.Trimmed> trimmed = round.all(Answer.Trimmed.class);
                    if (trimmed.size() >= next.quorum()) {
                        Height oldest = belowHeight.isBelow(head.height()) ? belowHeight : head.height();
                        then.accept(new Trim.Done(oldest.equals(Height.ZERO) ? Height.FIRST : oldest));
                        return true;
                    }
                    if (next.members().size() - round.all(Answer.Fenced.class).size() < next.quorum()) {
                        then.accept(new Trim.Fenced(by()));
                        return true;
                    }
                    if (over) {
                        then.accept(new Trim.Unknown(roster.troubles()));
                    }
                    return over;
                });
    }
}
