package dev.baton.authority.redis.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a holder does for nodes that lag, forgot, come or go; over pure acceptors. */
class UpkeepTest {

    private static final SeatId SEAT = SeatId.of("house", "blocks");

    private final AcceptorNodes nodes = new AcceptorNodes(3);
    private final List<QuorumSeat> joined = new ArrayList<>();

    @AfterEach
    void close() {
        joined.forEach(QuorumSeat::close);
        nodes.close();
    }

    private QuorumSeat join() {
        QuorumSeat seat = new QuorumSeat(
                SEAT,
                QuorumSettings.DEFAULT.withLease(Duration.ofSeconds(1)),
                QuorumRules.STRICT,
                nodes.addresses(),
                nodes.networkFor(SEAT),
                new TestSurroundings());
        joined.add(seat);
        return seat;
    }

    private Optional<Sight> sightOf(int node) {
        return nodes.node(node).take(SEAT, new Ask.Recognise(Fsync.ALWAYS)) instanceof Answer.Seen(Sight sight)
                ? Optional.of(sight)
                : Optional.empty();
    }

    private Head headOf(int node) {
        return sightOf(node).map(Sight::head).orElse(Head.GENESIS);
    }

    private List<MemberId> membersAt(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> sightOf(number).orElseThrow().member())
                .toList();
    }

    private List<String> addressesAt(int node) {
        return sightOf(node)
                .map(sight ->
                        sight.next().members().stream().map(Member::address).toList())
                .orElse(List.of());
    }

    private static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    /** Goes on appending until something has come about. */
    private static void commitUntil(Sequencer leader, String what, Callable<Boolean> condition) {
        until(what, () -> {
            leader.commit("on the way to: " + what);
            return condition.call();
        });
    }

    @Test
    void aNodeThatWasDownIsBroughtUpToDate() {
        nodes.found(SEAT);
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(3);
        nodes.node(3).down();
        leader.commit(700);

        nodes.node(3).restart();
        commitUntil(leader, "the third node has the head", () -> headOf(3).equals(leader.head()));

        assertThat(sightOf(3).orElseThrow().oldest()).isEqualTo(Height.FIRST);
    }

    /** Seed 12 of the simulator: with one node gone for good, nobody was ever elected again. */
    @Test
    void aCandidateBringsALaggingNodeUpToDateThatItsQuorumNeeds() {
        nodes.found(SEAT);
        Sequencer first = Sequencer.take("n1", join());
        nodes.node(3).down();
        first.commit(40);
        first.resign();
        nodes.node(2).down();
        nodes.node(3).restart();

        Sequencer second = Sequencer.take("n2", join());

        assertThat(second.head()).isEqualTo(first.head());
        assertThat(headOf(3)).isEqualTo(first.head());
        second.commit("goes on with the first and the third node");
    }

    @Test
    void aNodeBehindTheTrimWindowIsRebasedAndKeepsItsPromise() {
        nodes.found(SEAT);
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        nodes.node(3).down();
        leader.commit(50);
        Sequencer.await(seat.trim(leader.term(), new Height(40)));

        nodes.node(3).restart();
        commitUntil(leader, "the third node has the head", () -> headOf(3).equals(leader.head()));

        Sight rebased = sightOf(3).orElseThrow();
        assertThat(rebased.oldest()).isGreaterThanOrEqualTo(new Height(40));
        assertThat(rebased.promised()).isEqualTo(leader.term().epoch());
    }

    @Test
    void aBlankNodeIsReplacedWithoutAnOperatorAndHasTheWholeLedger() {
        nodes.found(SEAT);
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(20);
        MemberId before = membersAt(2).getFirst();

        nodes.node(2).lose();
        commitUntil(
                leader,
                "the second node is a member again",
                () -> sightOf(2)
                        .filter(sight -> sight.next().contains(sight.member()))
                        .isPresent());

        Sight now = sightOf(2).orElseThrow();
        assertThat(now.member()).isNotEqualTo(before);
        assertThat(now.next().contains(before)).isFalse();
        assertThat(now.oldest()).isEqualTo(Height.FIRST);
        commitUntil(leader, "it has the head", () -> headOf(2).equals(leader.head()));
    }

    /** Every node forgets once, one after the other: nothing is lost, and no operator is needed. */
    @Test
    void aRollingRestartOfForgetfulNodesIsSurvived() {
        nodes.found(SEAT);
        for (int i = 1; i <= 3; i++) {
            nodes.node(i).writeLater();
        }
        Sequencer leader = Sequencer.take("n1", join());
        Entry first = leader.commit("the first of all");
        leader.commit(10);
        List<MemberId> before = membersAt(1, 2, 3);
        for (int i = 1; i <= 3; i++) {
            int node = i;
            nodes.node(i).lose();
            nodes.node(i).restart();
            commitUntil(
                    leader,
                    "node " + i + " is a member again",
                    () -> sightOf(node)
                            .filter(sight -> sight.next().contains(sight.member()) && !before.contains(sight.member()))
                            .isPresent());
        }
        leader.commit("the last");

        Sequencer successor = Sequencer.take("n2", join(), new Claim.Evidence(leader.term()));

        assertThat(successor.head()).isEqualTo(leader.head());
        assertThat(successor.ledger()).startsWith(first).hasSize((int)
                leader.head().height().value());
    }

    @Test
    void nodesComeAndGoByCommand() {
        nodes.found(SEAT);
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(5);
        String fourth = nodes.add();

        CompletionStage<Optional<String>> added = seat.changeNodes(Optional.empty(), Optional.of(fourth));
        commitUntil(
                leader, "the fourth is in", () -> added.toCompletableFuture().isDone());
        CompletionStage<Optional<String>> removed = seat.changeNodes(Optional.of("r1:1"), Optional.empty());
        commitUntil(
                leader, "the first is out", () -> removed.toCompletableFuture().isDone());

        assertThat(Sequencer.await(added)).isEmpty();
        assertThat(Sequencer.await(removed)).isEmpty();
        nodes.node(1).down();
        leader.commit("without the first");
        // The two others may have decided it: the fourth hears of it with what follows.
        commitUntil(leader, "the fourth knows the set", () -> addressesAt(4).equals(List.of("r2:1", "r3:1", fourth)));
    }

    /**
     * A member that forgot its promise stands behind nobody. A smaller set that needs it for a quorum could never decide
     * anything again.
     */
    @Test
    void aSetIsNotMadeSmallerWhenItsQuorumNeedsAMemberThatForgot() {
        nodes.found(SEAT);
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(3);
        Entry withoutChange = leader.draft("drafted before");

        CompletionStage<Optional<String>> smaller = seat.changeNodes(Optional.of("r3:1"), Optional.empty());
        nodes.node(1).lose();
        leader.commit(withoutChange);

        assertThat(Sequencer.await(smaller))
                .hasValueSatisfying(why -> assertThat(why).contains("too few"));
        commitUntil(
                leader,
                "the first node is a member again",
                () -> sightOf(1)
                        .filter(sight -> sight.next().contains(sight.member()))
                        .isPresent());
    }

    /** Asked three times for the same, a leader took the node that had just entered for a stray, and wiped it. */
    @Test
    void aNodeThatIsInTheSetIsNotAdmittedOnceMore() {
        nodes.found(SEAT);
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(5);
        Optional<String> fourth = Optional.of(nodes.add());

        CompletionStage<Optional<String>> first = seat.changeNodes(Optional.empty(), fourth);
        CompletionStage<Optional<String>> second = seat.changeNodes(Optional.of("r1:1"), fourth);
        CompletionStage<Optional<String>> third = seat.changeNodes(Optional.of("r2:1"), fourth);
        commitUntil(leader, "all is decided", () -> third.toCompletableFuture().isDone());

        assertThat(Sequencer.await(first)).isEmpty();
        assertThat(Sequencer.await(second))
                .hasValueSatisfying(why -> assertThat(why).contains("in the set already"));
        assertThat(Sequencer.await(third))
                .hasValueSatisfying(why -> assertThat(why).contains("in the set already"));
        // The others may have decided it: the first hears of it with what follows.
        MemberId admitted = membersAt(4).getFirst();
        commitUntil(
                leader,
                "the first knows the fourth",
                () -> sightOf(1)
                        .filter(sight -> sight.next().contains(admitted))
                        .isPresent());
        assertThat(membersAt(4)).as("admitted once").containsExactly(admitted);
    }

    @Test
    void onlyTheHolderChangesNodes() {
        nodes.found(SEAT);
        assertThat(Sequencer.await(join().changeNodes(Optional.of("r1:1"), Optional.empty())))
                .hasValueSatisfying(why -> assertThat(why).contains("does not hold the seat"));
    }

    /** Whoever asked for a change is answered, even if the term ends before the newcomer has said who it is. */
    @Test
    void aChangeThatItsTermDoesNotOutliveIsAnswered() {
        nodes.found(SEAT);
        QuorumSeat seat = join();
        Sequencer leader = Sequencer.take("n1", seat);
        leader.commit(5);
        String fourth = nodes.add();

        CompletionStage<Optional<String>> added = seat.changeNodes(Optional.empty(), Optional.of(fourth));
        leader.resign();

        assertThat(Sequencer.await(added))
                .hasValueSatisfying(why -> assertThat(why).contains("is over"));
    }

    /** A contradiction would be a defect of the driver; being replaced is none, and goes first, even before any entry. */
    @Test
    void aTermThatIsOverIsToldSoWhateverItOffers() {
        nodes.found(SEAT);
        Sequencer old = Sequencer.take("n1", join());
        Sequencer.take("n2", join(), new Claim.Evidence(old.term()));
        Entry misfit = Entry.of(
                SEAT, new Height(7), Head.GENESIS.hash(), old.term().epoch(), List.of(), Bytes.utf8("leaves a gap"));

        assertThat(old.offer(misfit)).isInstanceOf(Appended.Fenced.class);
    }

    /**
     * A leader that was replaced while it slept does not know the new members. It must not take them for strays and
     * wipe them.
     */
    @Test
    void aReplacedLeaderCannotWipeANewMember() {
        nodes.found(SEAT);
        Sequencer old = Sequencer.take("n1", join());
        old.commit(5);
        Sequencer present = Sequencer.take("n2", join(), new Claim.Evidence(old.term()));
        nodes.node(2).lose();
        commitUntil(
                present,
                "the second node is a member again",
                () -> sightOf(2)
                        .filter(sight -> sight.next().contains(sight.member()))
                        .isPresent());
        MemberId replacement = membersAt(2).getFirst();

        assertThat(old.offer(old.draft("from the past"))).isInstanceOf(Appended.Fenced.class);
        present.commit("undisturbed");
        commitUntil(present, "the second node has the head", () -> headOf(2).equals(present.head()));

        assertThat(membersAt(2)).containsExactly(replacement);
    }

    @Test
    void aMajorityOfBlankNodesStopsEverythingAndSaysWhatToDo() {
        nodes.found(SEAT);
        Sequencer leader = Sequencer.take("n1", join());
        leader.commit(5);
        nodes.node(1).lose();
        nodes.node(2).lose();

        Appended outcome = leader.offer(leader.draft("nobody remembers"));

        assertThat(outcome).isInstanceOf(Appended.Indeterminate.class);
        assertThat(((Appended.Indeterminate) outcome).why()).contains("baton recover");
        assertThat(sightOf(1)).isEmpty();
    }
}
