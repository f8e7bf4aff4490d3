package dev.baton.authority.redis.quorum;

import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One node on its way up to an entry that others have, page by page, on the bulk lane. */
final class CatchingUp {

    private static final PageLimit PAGE = new PageLimit(256, 1 << 20);

    /** So many entries are under way to one node that catches up. */
    private static final int WINDOW = 8;

    /** Where a node is brought; it may lie further on when it is asked for again. */
    interface Course {

        /** Whether nobody wants it any more. */
        boolean isOver();

        /** Under whose epoch the entries are written. */
        Seating seating();

        /** The last entry that the node shall have. Everything below it is committed. */
        Optional<Entry> goal();

        /** The node set that governs the goal's height. */
        MemberSet governingGoal();

        /** Somebody else who has the goal. */
        Optional<Member> source(MemberId except);
    }

    private final QuorumRules rules;
    private final Roster roster;
    private final Course course;
    private final Roster.Node node;
    private final MemberId member;
    private final Consumer<Head> arrived;
    private final Runnable ended;
    private Head at;
    private boolean tipIsCommon;

    /**
     * A way that has not begun.
     *
     * @param at the node's tip
     * @param arrived told of each entry that the node has taken
     * @param ended told once: the node is there, or something stood in the way
     */
    CatchingUp(
            QuorumRules rules,
            Roster roster,
            Course course,
            Roster.Node node,
            MemberId member,
            Head at,
            Consumer<Head> arrived,
            Runnable ended) {
        this.rules = rules;
        this.roster = roster;
        this.course = course;
        this.node = node;
        this.member = member;
        this.at = at;
        this.arrived = arrived;
        this.ended = ended;
    }

    void goOn() {
        Optional<Entry> goal = course.goal();
        Optional<Member> from = course.source(member);
        if (course.isOver()
                || from.isEmpty()
                || goal.isEmpty()
                || at.equals(goal.get().asHead())) {
            ended.run();
            return;
        }
        // From its tip on, at first: that one may be an orphan that must give way.
        Height first = at.isGenesis() || tipIsCommon ? at.height().next() : at.height();
        Ask.Range range = new Ask.Range(from.get().id(), first, PAGE);
        roster.at(from.get().address()).ask(range, Link.Lane.BULK, answer -> {
            if (course.isOver() || !(answer instanceof Answer.Entries(List<Entry> page, Sight sight))) {
                ended.run();
            } else if (sight.oldest().isAbove(first)) {
                rebase();
            } else {
                send(page);
            }
        });
    }

    /** What it lacks is trimmed: it begins again at the goal, its promise kept. */
    private void rebase() {
        Entry base = course.goal().orElseThrow();
        Ask ask = new Ask.Rebase(member, course.seating(), base, course.governingGoal());
        node.ask(ask, Link.Lane.BULK, answer -> {
            if (answer instanceof Answer.Accepted) {
                reached(base.asHead());
                goOn();
            } else {
                ended.run();
            }
        });
    }

    private void send(List<Entry> page) {
        Height last = course.goal().map(Entry::height).orElse(Height.ZERO);
        List<Entry> missing = page.stream()
                .filter(entry -> !entry.asHead().equals(at) && !entry.height().isAbove(last))
                .toList();
        boolean hadCommonTip = tipIsCommon;
        tipIsCommon |= page.stream().anyMatch(entry -> entry.asHead().equals(at));
        if (!missing.isEmpty()) {
            new Sending(missing).goOn();
        } else if (tipIsCommon && !hadCommonTip) {
            goOn(); // the page held its tip alone, because what follows is large
        } else {
            ended.run();
        }
    }

    private void reached(Head head) {
        at = head;
        tipIsCommon = true;
        arrived.accept(head);
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
            while (underWay < WINDOW && !missing.isEmpty() && !failed && !course.isOver()) {
                send(missing.poll());
            }
            if (underWay == 0) {
                if (failed || course.isOver()) {
                    ended.run();
                } else {
                    CatchingUp.this.goOn();
                }
            }
        }

        private void send(Entry entry) {
            underWay++;
            Ask ask = new Ask.Append(member, course.seating(), entry, Duration.ZERO);
            node.ask(ask, Link.Lane.BULK, answer -> {
                underWay--;
                failed |= !rules.acknowledges(answer);
                if (!failed) {
                    reached(entry.asHead());
                }
                goOn();
            });
        }
    }
}
