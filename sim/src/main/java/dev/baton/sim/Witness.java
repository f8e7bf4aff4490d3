package dev.baton.sim;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees every answer of every Redis node and works out by itself what is decided: an entry is, from the moment when a
 * majority of the set that governs its height has accepted it under one ballot.
 *
 * <p>It counts on its own, so that a mistake in the rules that nodes follow is not repeated here. What was decided
 * once stays decided, whatever a node forgets.
 */
final class Witness {

    /** One ballot's acceptances of one entry. */
    private record Acceptances(Epoch ballot, Hash hash, List<MemberId> members) {}

    private final World world;
    private final Judge judge;
    private final Map<Height, List<Acceptances>> accepted = new HashMap<>();
    private final TreeMap<Height, Entry> decided = new TreeMap<>();
    private final TreeMap<Height, MemberSet> governing = new TreeMap<>();
    private final Map<Epoch, Holder> ballots = new HashMap<>();
    private final Map<Term, Head> written = new HashMap<>();
    private final Set<MemberId> admitted = new HashSet<>();
    private @Nullable Entry proposed;

    Witness(World world, Judge judge) {
        this.world = world;
        this.judge = judge;
        judge.asks(this::isDecided);
    }

    void founded(MemberSet first) {
        governing.put(Height.FIRST, first);
    }

    boolean isDecided(Entry entry) {
        Entry there = decided.get(entry.height());
        return there != null && there.equals(entry);
    }

    void took(String address, Ask ask, Answer answer) {
        switch (ask) {
            case Ask.Append append -> {
                note(address, ask, answer);
                if (answer instanceof Answer.Accepted) {
                    accepted(append.member(), append.seating().term(), append.entry());
                }
            }
            case Ask.Rebase rebase -> {
                note(address, ask, answer);
                if (answer instanceof Answer.Accepted) {
                    accepted(rebase.member(), rebase.seating().term(), rebase.base());
                    checkGoverning(address, rebase.base(), rebase.governing());
                }
            }
            case Ask.Admit admit -> {
                note(address, ask, answer);
                if (answer instanceof Answer.Done) {
                    judge.expect(
                            admitted.add(admit.member()),
                            "INV-3",
                            () -> address + " is admitted as " + admit.member() + " once more, with its promise lost");
                    admit.base().ifPresent(base -> begun(address, base));
                }
            }
            case Ask.Promote ignored -> note(address, ask, answer);
            case Ask.Resign ignored -> note(address, ask, answer);
            case Ask.Trim ignored -> note(address, ask, answer);
            case Ask.Recognise ignored -> {}
            case Ask.Peek ignored -> {}
            case Ask.Range ignored -> {}
        }
    }

    private void note(String address, Ask ask, Answer answer) {
        world.note(() -> address + " " + Words.of(ask) + " → " + Words.of(answer));
    }

    private void accepted(MemberId member, Term term, Entry entry) {
        Epoch ballot = term.epoch();
        Holder other = ballots.putIfAbsent(ballot, term.holder());
        judge.expect(
                other == null || other.equals(term.holder()),
                "INV-2",
                () -> other + " and " + term.holder() + " write under one epoch, " + ballot);
        checkOneEntryPerHeight(term, entry);
        checkParent(entry);
        List<MemberId> members = acceptances(entry, ballot).members();
        if (!members.contains(member)) {
            members.add(member);
            MemberSet set = governing(entry.height());
            if (isMajority(members, set)) {
                decide(entry, ballot);
            }
            if (set.contains(member) && MemberSet.installedBy(entry).isPresent()) {
                proposed = entry;
            }
        }
    }

    /** INV-5: two entries of one ballot at one height could both gather half of a quorum. */
    private void checkOneEntryPerHeight(Term term, Entry entry) {
        Head last = written.get(term);
        judge.expect(
                last == null || !last.height().equals(entry.height()) || last.equals(entry.asHead()),
                "INV-5",
                () -> "term " + term + " writes " + entry + " after " + last);
        if (last == null || last.height().isBelow(entry.height())) {
            written.put(term, entry.asHead());
        }
    }

    /** INV-4: a leader writes the next height only when this one is decided. */
    private void checkParent(Entry entry) {
        Entry before = decided.get(new Height(entry.height().value() - 1));
        Head expected = before == null ? Head.GENESIS : before.asHead();
        judge.expect(entry.follows(expected), "INV-4", () -> entry + " was written, but " + expected + " is decided");
    }

    private Acceptances acceptances(Entry entry, Epoch ballot) {
        List<Acceptances> there = accepted.computeIfAbsent(entry.height(), height -> new ArrayList<>(2));
        for (Acceptances known : there) {
            if (known.ballot().equals(ballot) && known.hash().equals(entry.hash())) {
                return known;
            }
        }
        Acceptances first = new Acceptances(ballot, entry.hash(), new ArrayList<>(4));
        there.add(first);
        return first;
    }

    private static boolean isMajority(List<MemberId> voters, MemberSet set) {
        int votes = 0;
        for (Member member : set.members()) {
            if (voters.contains(member.id())) {
                votes++;
            }
        }
        return 2 * votes > set.members().size();
    }

    private void decide(Entry entry, Epoch ballot) {
        Entry known = decided.putIfAbsent(entry.height(), entry);
        judge.decided(entry);
        if (known == null) {
            judge.decidedUnder(ballot, entry);
            MemberSet.installedBy(entry)
                    .ifPresent(installed -> governing.put(entry.height().next(), installed));
            world.note(() -> "decided: " + Words.of(entry) + " under " + ballot);
        }
    }

    /** A member that begins in the middle of the ledger begins with what is decided, or it could help to undo it. */
    private void begun(String address, Entry base) {
        judge.expect(isDecided(base), "INV-3", () -> address + " begins at " + base + ", which is not decided");
    }

    private void checkGoverning(String address, Entry base, MemberSet claimed) {
        MemberSet actual = governing(base.height());
        judge.expect(
                actual.equals(claimed),
                "INV-3",
                () -> address + " goes on at " + base + " under " + claimed + ", but " + actual + " governs it");
    }

    /** A node that remembered everything was made to forget it, for a new member. */
    void gaveUp(String address, MemberId member) {
        judge.expect(
                needed().stream().noneMatch(set -> set.contains(member)),
                "INV-3",
                () -> address + " was " + member + ", whose vote is needed, and has been admitted as somebody else");
    }

    private MemberSet governing(Height height) {
        return governing.floorEntry(height).getValue();
    }

    /** The set that decides next. */
    MemberSet newest() {
        return governing.lastEntry().getValue();
    }

    /** Every set whose quorum may be needed to go on: the one of the tip, the next one, and one that is proposed. */
    Set<MemberSet> needed() {
        Height top = decided.isEmpty() ? Height.FIRST : decided.lastKey();
        Set<MemberSet> sets = new LinkedHashSet<>();
        sets.add(governing(top));
        sets.add(governing(top.next()));
        if (proposed != null && proposed.height().isAbove(top)) {
            MemberSet.installedBy(proposed).ifPresent(sets::add);
        }
        return sets;
    }
}
