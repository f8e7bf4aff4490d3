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
final class Upkeep {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private static final PageLimit PAGE = new PageLimit(256, 1 << 20);

    /** So many entries are under way to one node that catches up. */
    private static final int WINDOW = 8;

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
        changes.forEach(change -> change.done.accept(Optional.of("the term " + tenure.term() + " is over")));
        changes.clear();
    }

    /** A node does not have what the head follows. */
    void behind(Roster.Node node, MemberId member, Optional<Tip> tip) {
        if (!over && catchingUp.add(member)) {
            new CatchingUp(node, member, tip.map(Tip::asHead).orElse(Head.GENESIS)).goOn();
        }
    }

    /** A member has forgotten, so it never votes again; its machine comes back as another member. */
    void blank(Roster.Node node, MemberId member) {
        Change current = changes.peek();
        if (current != null && current.learner != null && current.learner.id().equals(member)) {
            current.end(Optional.of(node.address() + " has lost its memory again"));
            return;
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
    private Optional<Member> source(MemberId except) {
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
                    id, node.stray(), node.link().fsync(), Optional.of(tenure.seating()), tenure.members(), base);
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
                } else if (catchingUp.add(id)) {
                    new CatchingUp(node, id, at).goOn();
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
            if (!rules.mayInstall(set, tenure.standing())) {
                end(Optional.of("too few of the nodes in " + set + " stand behind " + tenure.term()
                        + " (expected: a quorum of the new set)"));
                return;
            }
            proposed = Optional.of(set);
            proposes.accept(proposed);
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

    /** One node on its way to the head, page by page. */
    private final class CatchingUp {

        private final Roster.Node node;
        private final MemberId member;
        private Head at;

        CatchingUp(Roster.Node node, MemberId member, Head at) {
            this.node = node;
            this.member = member;
            this.at = at;
        }

        void goOn() {
            Optional<Member> from = source(member);
            if (over || from.isEmpty() || at.equals(tenure.head())) {
                end();
                return;
            }
            // From its tip on: that one may be an orphan that must give way.
            Height first = at.isGenesis() ? Height.FIRST : at.height();
            read(from.get(), first, PAGE, answer -> {
                if (over) {
                    end();
                } else if (answer instanceof Answer.Entries(List<Entry> page, Sight sight)) {
                    if (sight.oldest().isAbove(first)) {
                        rebase();
                    } else {
                        send(page);
                    }
                } else {
                    end();
                }
            });
        }

        /** What it lacks is trimmed: it begins again at the head, its promise kept. */
        private void rebase() {
            Entry base = tenure.tip().orElseThrow();
            Ask ask = new Ask.Rebase(member, tenure.seating(), base, tenure.membersBelowHead());
            node.ask(ask, Link.Lane.BULK, answer -> {
                if (answer instanceof Answer.Accepted) {
                    arrived(base.asHead());
                    goOn();
                } else {
                    end();
                }
            });
        }

        private void send(List<Entry> page) {
            List<Entry> missing = page.stream()
                    .filter(entry -> !entry.asHead().equals(at)
                            && !entry.height().isAbove(tenure.head().height()))
                    .toList();
            if (missing.isEmpty()) {
                end();
                return;
            }
            new Sending(missing).goOn();
        }

        /** A page on its way, a few entries at a time. */
        private final class Sending {

            private final Deque<Entry> missing;
            private int underWay;
            private boolean failed;

            Sending(List<Entry> missing) {
                this.missing = new ArrayDeque<>(missing);
            }

            void goOn() {
                while (underWay < WINDOW && !missing.isEmpty() && !failed && !over) {
                    send(missing.poll());
                }
                if (underWay == 0) {
                    if (failed || over) {
                        end();
                    } else {
                        CatchingUp.this.goOn();
                    }
                }
            }

            private void send(Entry entry) {
                underWay++;
                Ask ask = new Ask.Append(member, tenure.seating(), entry, Duration.ZERO);
                node.ask(ask, Link.Lane.BULK, answer -> {
                    underWay--;
                    failed |= !rules.acknowledges(answer);
                    if (!failed) {
                        arrived(entry.asHead());
                    }
                    goOn();
                });
            }
        }

        private void arrived(Head head) {
            at = head;
            tenure.standing().add(member);
            reached(member, head);
        }

        private void end() {
            catchingUp.remove(member);
        }
    }
}
