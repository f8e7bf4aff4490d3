package dev.baton.authority.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.PageLimit;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of one node, each by name. */
class AcceptorTest {

    private static final SeatId SEAT = SeatId.of("house", "blocks");
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final MemberId SELF = new MemberId("00000000000000aa");
    private static final MemberId NEXT = new MemberId("00000000000000bb");
    private static final MemberSet ALONE = MemberSet.of(new Member(SELF, "r1:1"));

    private final Acceptor node = new Acceptor();
    private long nowMillis = 1_000;
    private String run = "run1";

    @BeforeEach
    void found() {
        admit(Fsync.ALWAYS);
    }

    private Answer admit(Fsync fsync) {
        return take(new Ask.Admit(SELF, Optional.empty(), fsync, run, Optional.empty(), ALONE, Optional.empty()));
    }

    private Answer take(Ask ask) {
        return node.take(ask, nowMillis, run);
    }

    private static Seating seating(String name, long epoch) {
        Holder holder = new Holder(new NodeId(name), new Incarnation(name.hashCode()));
        return new Seating(new Term(new Epoch(epoch), holder), name + ":1");
    }

    private Answer promote(Seating seating) {
        return take(new Ask.Promote(SELF, seating, LEASE, Optional.empty(), Optional.empty()));
    }

    private Answer append(Seating seating, Entry entry) {
        return take(new Ask.Append(SELF, seating, entry, LEASE));
    }

    private static Entry entry(Head after, String text, Fact... facts) {
        return Entry.after(after, SEAT, new Epoch(1), List.of(facts), Bytes.utf8(text));
    }

    private Sight sight() {
        return ((Answer.Seen) take(new Ask.Peek(SELF))).sight();
    }

    @Test
    void anEpochIsGrantedOnce() {
        assertThat(promote(seating("a", 5))).isInstanceOf(Answer.Granted.class);
        nowMillis += LEASE.toMillis();

        assertThat(promote(seating("b", 5))).isEqualTo(new Answer.Stale(new Epoch(5)));
        assertThat(promote(seating("a", 5))).isEqualTo(new Answer.Stale(new Epoch(5)));
        assertThat(promote(seating("b", 6))).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void aSeatWhoseLeaseRunsIsGivenOnlyInsteadOfExactlyItsTerm() {
        promote(seating("a", 5));

        assertThat(promote(seating("b", 6))).isInstanceOf(Answer.Held.class);
        Ask wrong = new Ask.Promote(
                SELF, seating("b", 6), LEASE, Optional.of(seating("c", 5).term()), Optional.empty());
        assertThat(take(wrong)).isInstanceOf(Answer.Held.class);
        Ask right = new Ask.Promote(
                SELF, seating("b", 6), LEASE, Optional.of(seating("a", 5).term()), Optional.empty());
        assertThat(take(right)).isInstanceOf(Answer.Granted.class);
    }

    /** INV-1: the lease decides who tries, the epoch alone decides who may. */
    @Test
    void anAppendLooksAtTheEpochAndNeverAtTheSeat() {
        promote(seating("a", 5));
        nowMillis += 10 * LEASE.toMillis();
        assertThat(append(seating("a", 5), entry(Head.GENESIS, "late"))).isInstanceOf(Answer.Accepted.class);

        nowMillis += 10 * LEASE.toMillis();
        promote(seating("b", 6));
        assertThat(append(seating("a", 5), entry(Head.GENESIS, "too late"))).isEqualTo(new Answer.Fenced(new Epoch(6)));
    }

    /** INV-3: entries that were never overwritten would get stuck. */
    @Test
    void anEntryGivesWayOnlyToAHigherBallot() {
        Entry first = entry(Head.GENESIS, "x");
        Entry other = entry(Head.GENESIS, "y");
        append(seating("a", 5), first);

        assertThat(append(seating("b", 5), other)).isInstanceOf(Answer.Ahead.class);
        assertThat(append(seating("b", 6), other)).isInstanceOf(Answer.Accepted.class);
        assertThat(sight().tip().orElseThrow().ballot()).isEqualTo(new Epoch(6));
        assertThat(sight().head()).isEqualTo(other.asHead());
    }

    @Test
    void belowTheTipOnlyTheSameEntryCounts() {
        Entry one = entry(Head.GENESIS, "one");
        append(seating("a", 5), one);
        append(seating("a", 5), entry(one.asHead(), "two"));

        assertThat(append(seating("a", 5), one)).matches(answer -> ((Answer.Ahead) answer).same());
        assertThat(append(seating("a", 5), entry(Head.GENESIS, "uno")))
                .matches(answer -> !((Answer.Ahead) answer).same());
    }

    @Test
    void aGapOrAnotherParentIsBehind() {
        Entry one = entry(Head.GENESIS, "one");
        Entry two = entry(one.asHead(), "two");

        assertThat(append(seating("a", 5), two)).isEqualTo(new Answer.Behind(Optional.empty()));
        append(seating("a", 5), entry(Head.GENESIS, "uno"));
        assertThat(append(seating("a", 5), two)).isInstanceOf(Answer.Behind.class);
        assertThat(sight().head().height()).isEqualTo(Height.FIRST);
    }

    @Test
    void backfillingLeavesTheSeatAlone() {
        take(new Ask.Append(SELF, seating("a", 5), entry(Head.GENESIS, "one"), Duration.ZERO));

        assertThat(sight().seat()).isEmpty();
        assertThat(sight().promised()).isEqualTo(new Epoch(5));
    }

    @Test
    void aSetGovernsFromTheNextHeightOn() {
        MemberSet grown = ALONE.with(new Member(NEXT, "r2:1"));
        Entry change = entry(Head.GENESIS, "with a set", grown.asFact());
        append(seating("a", 5), change);
        assertThat(sight().governing()).isEqualTo(ALONE);
        assertThat(sight().next()).isEqualTo(grown);

        append(seating("a", 5), entry(change.asHead(), "after it"));
        assertThat(sight().governing()).isEqualTo(grown);
    }

    @Test
    void aReplacedEntryDoesNotLeaveItsSetBehind() {
        MemberSet grown = ALONE.with(new Member(NEXT, "r2:1"));
        append(seating("a", 5), entry(Head.GENESIS, "with a set", grown.asFact()));

        append(seating("b", 6), entry(Head.GENESIS, "without one"));

        assertThat(sight().next()).isEqualTo(ALONE);
    }

    @Test
    void aTermThatResignedIsHeardNoMore() {
        promote(seating("a", 5));
        take(new Ask.Resign(SELF, seating("a", 5).term(), true));

        assertThat(append(seating("a", 5), entry(Head.GENESIS, "late copy"))).isInstanceOf(Answer.Fenced.class);
        assertThat(promote(seating("a", 5))).isInstanceOf(Answer.Stale.class);
        assertThat(sight().seat()).isEmpty();
        assertThat(sight().ended()).isEqualTo(new Epoch(5));
    }

    @Test
    void aNamesakeResignsNothing() {
        promote(seating("a", 5));
        take(new Ask.Resign(SELF, seating("b", 5).term(), true));

        assertThat(append(seating("a", 5), entry(Head.GENESIS, "undisturbed"))).isInstanceOf(Answer.Accepted.class);
    }

    /** Or a candidate that came to nothing would be taken for a holder that has stopped. */
    @Test
    void aWithdrawnGrantIsNoTermThatEnded() {
        promote(seating("a", 5));
        nowMillis += LEASE.toMillis();
        promote(seating("b", 6));
        take(new Ask.Resign(SELF, seating("b", 6).term(), false));

        assertThat(sight().open()).isEqualTo(new Epoch(5));
        assertThat(sight().ended()).isEqualTo(Epoch.NONE);
    }

    /** INV-9. */
    @Test
    void aTicketIsGoodOnlyAtItsHeadAndUnderItsTerm() {
        Seating old = seating("a", 5);
        promote(old);
        Entry one = entry(Head.GENESIS, "one");
        append(old, one);

        assertThat(byTicket(old, Head.GENESIS)).isInstanceOf(Answer.Elsewhere.class);
        assertThat(byTicket(old, one.asHead())).isInstanceOf(Answer.Granted.class);
        nowMillis += 10 * LEASE.toMillis();
        assertThat(byTicket(old, one.asHead())).isInstanceOf(Answer.Elsewhere.class);
    }

    private Answer byTicket(Seating old, Head head) {
        Seating next = seating("b", sight().promised().value() + 1);
        return take(new Ask.Promote(SELF, next, LEASE, Optional.of(old.term()), Optional.of(head)));
    }

    @Test
    void aRestartUnderAlwaysGoesOnOnceItIsRecognised() {
        promote(seating("a", 5));
        run = "run2";

        assertThat(append(seating("a", 5), entry(Head.GENESIS, "from before"))).isInstanceOf(Answer.Unsent.class);
        assertThat(take(new Ask.Recognise(Fsync.ALWAYS))).isInstanceOf(Answer.Seen.class);
        assertThat(append(seating("a", 5), entry(Head.GENESIS, "again"))).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void aRestartOtherwiseMakesTheNodeBlankForEver() {
        take(new Ask.Recognise(Fsync.LATER));
        run = "run2";

        assertThat(promote(seating("a", 5))).isInstanceOf(Answer.Blank.class);
        assertThat(take(new Ask.Recognise(Fsync.ALWAYS))).isInstanceOf(Answer.Blank.class);
        assertThat(promote(seating("a", 5))).isInstanceOf(Answer.Blank.class);
    }

    @Test
    void onlyABlankNodeOrAStrayIsAdmitted() {
        promote(seating("b", 6));
        Optional<Seating> present = Optional.of(seating("b", 6));

        assertThat(take(admission(Optional.empty(), present))).isEqualTo(new Answer.Other(SELF));
        assertThat(take(admission(Optional.of(SELF), Optional.empty()))).isEqualTo(new Answer.Other(SELF));
        assertThat(take(admission(Optional.of(SELF), present))).isEqualTo(new Answer.Done());
        assertThat(take(new Ask.Peek(SELF))).isEqualTo(new Answer.Other(NEXT));
    }

    /** A leader that was replaced does not know the new members, and must not wipe them. */
    @Test
    void aReplacedLeaderAdmitsNobody() {
        promote(seating("b", 6));

        assertThat(take(admission(Optional.of(SELF), Optional.of(seating("a", 5)))))
                .isEqualTo(new Answer.Fenced(new Epoch(6)));
    }

    /** The simulator delivers asks twice, the second time perhaps after a restart. */
    @Test
    void anAdmissionForAnEarlierRunDoesNotBringAMemberBack() {
        Acceptor blank = new Acceptor();
        Ask first = new Ask.Admit(SELF, Optional.empty(), Fsync.LATER, run, Optional.empty(), ALONE, Optional.empty());
        assertThat(blank.take(first, nowMillis, run)).isInstanceOf(Answer.Done.class);

        assertThat(blank.take(first, nowMillis, "run2")).isInstanceOf(Answer.Unsent.class);

        assertThat(blank.take(new Ask.Recognise(Fsync.LATER), nowMillis, "run2"))
                .isInstanceOf(Answer.Blank.class);
    }

    private Ask admission(Optional<MemberId> insteadOf, Optional<Seating> by) {
        return new Ask.Admit(
                NEXT, insteadOf, Fsync.ALWAYS, run, by, MemberSet.of(new Member(NEXT, "r1:1")), Optional.empty());
    }

    @Test
    void trimmingKeepsTheTip() {
        Entry one = entry(Head.GENESIS, "one");
        Entry two = entry(one.asHead(), "two");
        append(seating("a", 5), one);
        append(seating("a", 5), two);

        take(new Ask.Trim(SELF, seating("a", 5).term(), new Height(100)));

        Answer.Entries rest = (Answer.Entries) take(new Ask.Range(SELF, new Height(2), PageLimit.DEFAULT));
        assertThat(rest.entries()).containsExactly(two);
        assertThat(rest.sight().oldest()).isEqualTo(new Height(2));
    }

    @Test
    void aRebaseOnlyGoesForward() {
        Entry one = entry(Head.GENESIS, "one");
        append(seating("a", 5), one);
        Entry far = Entry.of(SEAT, new Height(40), one.hash(), new Epoch(5), List.of(), Bytes.utf8("far"));

        assertThat(take(new Ask.Rebase(SELF, seating("a", 5), one, ALONE))).isInstanceOf(Answer.Ahead.class);
        assertThat(take(new Ask.Rebase(SELF, seating("a", 5), far, ALONE))).isEqualTo(new Answer.Accepted());
        assertThat(sight().oldest()).isEqualTo(new Height(40));
        assertThat(take(new Ask.Rebase(SELF, seating("z", 4), far, ALONE))).isInstanceOf(Answer.Fenced.class);
    }
}
