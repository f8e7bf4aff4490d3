package dev.baton.authority.redis.quorum;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a holder does for its nodes beside appending: bring those that lag up to date, and replace those that forgot.
 *
 * <p>Everything here runs in the background, on the bulk lane. A node set changes by one member at a time.
 */
final class Upkeep implements CatchingUp.Course {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** A newcomer that gets no further for so long must not keep others from entering. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final QuorumRules rules;
    private final Roster roster;
    private final Surroundings surroundings;
    private final Tenure tenure;
    private final Consumer<Optional<MemberSet>> proposes;
    private final Set<MemberId> catchingUp = new HashSet<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private boolean over;

    Upkeep(
            QuorumRules rules,
            Roster roster,
            Surroundings surroundings,
            Tenure tenure,
            Consumer<Optional<MemberSet>> proposes) {
        this.rules = rules;
        this.roster = roster;
        this.surroundings = surroundings;
        this.tenure = tenure;
        this.proposes = proposes;
    }

    /** Who receives every entry without a vote, because it is about to enter the set. */
    List<Member> learners() {
        Change current = changes.peek();
        return current == null || current.learner == null ? List.of() : List.of(current.learner);
    }

    /** The term is over: whatever is under way ends by itself. */
    void end() {
        over = true;
        proposes.accept(Optional.empty());
        changes.forEach(change -> change.done.accept(Optional.of(ended())));
        changes.clear();
    }

    private String ended() {
        return "the term " + tenure.term() + " is over";
    }

    /** A node does not have what the head follows. */
    void behind(Roster.Node node, MemberId member, Optional<Tip> tip) {
        catchUp(node, member, tip.map(Tip::asHead).orElse(Head.GENESIS));
    }

    private void catchUp(Roster.Node node, MemberId member, Head at) {
        if (!over && catchingUp.add(member)) {
            new CatchingUp(
                            rules,
                            roster,
                            this,
                            node,
                            member,
                            at,
                            head -> arrived(member, head),
                            () -> catchingUp.remove(member))
                    .goOn();
        }
    }

    private void arrived(MemberId member, Head head) {
        tenure.standing().add(member);
        reached(member, head);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public Seating seating() {
        return tenure.seating();
    }

    @Override
    public Optional<Entry> goal() {
        return tenure.tip();
    }

    @Override
    public MemberSet governingGoal() {
        return tenure.membersBelowHead();
    }

    /** A member has forgotten, so it never votes again; its machine comes back as another member. */
    void blank(Roster.Node node, MemberId member) {
        tenure.standing().remove(member); // a promise that was forgotten is none
        Change current = changes.peek();
        if (current != null && current.learner != null && current.learner.id().equals(member)) {
            current.end(Optional.of(node.address() + " has lost its memory again"));
            return;
        }
        if (current != null && current.proposed.isPresent()) {
            current.reconsider(current.proposed.get());
        }
        boolean known = changes.stream().anyMatch(change -> change.leaving.equals(Optional.of(member)));
        if (!over && !known && tenure.members().contains(member)) {
            LOG.warn(
                    "{} at {} has lost its memory ({}): it is replaced by a new member",
                    member,
                    node.address(),
                    node.trouble().orElse("no reason told"));
            change(Optional.of(member), Optional.of(node.address()), ignored -> {});
        }
    }

    /**
     * Changes the node set.
     *
     * @param leaving who leaves, if anybody
     * @param arriving the address of the node that enters, if any; its Redis must be blank
     * @param done told once: nothing when the change is committed, or what stood in the way
     */
    void change(Optional<MemberId> leaving, Optional<String> arriving, Consumer<Optional<String>> done) {
        if (over) {
            done.accept(Optional.of(ended()));
            return;
        }
        Change change = new Change(leaving, arriving, done);
        changes.add(change);
        if (changes.size() == 1) {
            change.begin();
        }
    }

    /** A member has accepted this entry at its tip. */
    void reached(MemberId member, Head head) {
        Change current = changes.peek();
        if (current != null && current.learner != null && current.learner.id().equals(member)) {
            current.reached(head);
        }
    }

    /** A node set was committed. */
    void installed(MemberSet set) {
        Change current = changes.peek();
        if (current != null && current.proposed.equals(Optional.of(set))) {
            LOG.info("the nodes of {} are now {}", tenure.term(), set);
            current.end(Optional.empty());
        }
    }

    /** Somebody from whom the ledger can be read. */
    @Override
    public Optional<Member> source(MemberId except) {
        return tenure.members().members().stream()
                .filter(member ->
                        !member.id().equals(except) && tenure.upToDate().contains(member.id()))
                .findFirst();
    }

    private void read(Member from, Height height, PageLimit limit, Consumer<Answer> then) {
        roster.at(from.address()).ask(new Ask.Range(from.id(), height, limit), Link.Lane.BULK, then);
    }

    /** A new member on its way into the set, an old one on its way out, or both. */
    private final class Change {

        private final Optional<MemberId> leaving;
        private final Optional<String> arriving;
        private final Consumer<Optional<String>> done;
        private @Nullable Member learner;
        private Optional<MemberSet> proposed = Optional.empty();
        private long progressNanos = surroundings.nanos();

        Change(Optional<MemberId> leaving, Optional<String> arriving, Consumer<Optional<String>> done) {
            this.leaving = leaving;
            this.arriving = arriving;
            this.done = done;
        }

        void begin() {
            if (arriving.isEmpty()) {
                propose();
                return;
            }
            Optional<MemberId> there = arriving.flatMap(tenure.members()::at)
                    .map(Member::id)
                    .filter(id -> !leaving.equals(Optional.of(id)));
            if (there.isPresent()) {
                end(Optional.of(arriving.get() + " is in the set already, as " + there.get()));
                return;
            }
            MemberId id = MemberId.random(surroundings.random());
            if (tenure.tip().isEmpty()) {
                admit(id, Optional.empty());
                return;
            }
            Optional<Member> from = source(id);
            if (from.isEmpty()) {
                end(Optional.of("nobody has the head, so nothing can be copied"));
                return;
            }
            Height oldest =
                    roster.at(from.get().address()).sight().map(Sight::oldest).orElse(Height.FIRST);
            read(from.get(), oldest, new PageLimit(1, 1), answer -> {
                if (over) {
                    return;
                }
                if (answer instanceof Answer.Entries(List<Entry> page, Sight sight) && !page.isEmpty()) {
                    admit(id, Optional.of(page.getFirst()));
                } else if (answer instanceof Answer.Entries(List<Entry> none, Sight sight)
                        && sight.oldest().isAbove(oldest)) {
                    begin(); // trimmed meanwhile; the sight says so now
                } else {
                    end(Optional.of("the ledger cannot be read: " + answer));
                }
            });
        }

        private void admit(MemberId id, Optional<Entry> base) {
            if (over) {
                return; // told already
            }
            Member arrived = new Member(id, arriving.orElseThrow());
            Roster.Node node = roster.at(arrived.address());
            Ask ask = new Ask.Admit(
                    id,
                    node.stray().filter(stray -> !tenure.members().contains(stray)),
                    node.link().fsync(),
                    node.link().runId(),
                    Optional.of(tenure.seating()),
                    tenure.members(),
                    base);
            node.ask(ask, Link.Lane.BULK, answer -> {
                if (over) {
                    return;
                }
                if (!(answer instanceof Answer.Done)) {
                    end(Optional.of(arrived.address() + " cannot be admitted: " + answer));
                    return;
                }
                node.introduce();
                learner = arrived;
                keepAnEye();
                tenure.standing().add(id);
                Head at = base.map(Entry::asHead).orElse(Head.GENESIS);
                if (rules.mayEnter(at, tenure.head())) {
                    propose();
                } else {
                    catchUp(node, id, at);
                }
            });
        }

        private void keepAnEye() {
            surroundings.after(PATIENCE, () -> {
                if (changes.peek() != this || over || proposed.isPresent()) {
                    return;
                }
                if (surroundings.nanos() - progressNanos >= PATIENCE.toNanos()) {
                    end(Optional.of(arriving.orElseThrow() + " got no further for " + PATIENCE));
                } else {
                    keepAnEye();
                }
            });
        }

        void reached(Head head) {
            progressNanos = surroundings.nanos();
            if (proposed.isEmpty() && rules.mayEnter(head, tenure.head())) {
                propose();
            }
        }

        private void propose() {
            MemberSet set = tenure.members();
            try {
                for (MemberId gone : leaving.filter(set::contains).stream().toList()) {
                    set = learner == null ? set.without(gone) : set.replacing(gone, learner);
                }
                if (learner != null && !set.contains(learner.id())) {
                    set = set.with(learner);
                }
            } catch (IllegalArgumentException e) {
                end(Optional.of("not possible: " + e.getMessage()));
                return;
            }
            if (reconsider(set)) {
                proposed = Optional.of(set);
                proposes.accept(proposed);
            }
        }

        /** Whether the set may still be proposed; otherwise the change is over. */
        private boolean reconsider(MemberSet set) {
            boolean possible = rules.mayInstall(set, tenure.standing());
            if (!possible) {
                end(Optional.of("too few of the nodes in " + set + " stand behind " + tenure.term()
                        + " (expected: a quorum of the new set)"));
            }
            return possible;
        }

        private void end(Optional<String> trouble) {
            trouble.ifPresent(why -> LOG.warn("the nodes stay as they are: {}", why));
            done.accept(trouble);
            proposes.accept(Optional.empty());
            changes.remove(this);
            if (!over && !changes.isEmpty()) {
                changes.peek().begin();
            }
        }
    }
}
