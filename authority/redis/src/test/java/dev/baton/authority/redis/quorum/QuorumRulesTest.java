package dev.baton.authority.redis.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From answers to decisions, without anybody to ask. */
class QuorumRulesTest {

    private static final QuorumRules RULES = QuorumRules.STRICT;

    private static MemberId id(int n) {
        return new MemberId(String.format("%016x", n));
    }

    private static MemberSet set(int... numbers) {
        return new MemberSet(IntStream.of(numbers)
                .mapToObj(n -> new Member(id(n), "r" + n + ":1"))
                .toList());
    }

    private static Optional<Tip> tip(long height, long ballot, String what) {
        return Optional.of(new Tip(
                new Height(height), new Epoch(ballot), Hash.sha256(Bytes.utf8(what)), Hash.ZERO, Optional.empty()));
    }

    private static Sight sight(int n, MemberSet governing, Optional<Tip> tip) {
        return new Sight(id(n), Epoch.NONE, Epoch.NONE, Epoch.NONE, Optional.empty(), tip, governing, Height.FIRST);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "5, 3", "6, 4", "7, 4"})
    void aQuorumIsAMajority(int nodes, int quorum) {
        assertThat(set(IntStream.rangeClosed(1, nodes).toArray()).quorum()).isEqualTo(quorum);
    }

    /** INV-3: X on two nodes is older than Y on one. Whoever counted would fork. */
    @Test
    void theHighestBallotWinsHoweverFewHaveIt() {
        MemberSet all = set(1, 2, 3);
        Sight first = sight(1, all, tip(7, 2, "x"));
        Sight second = sight(2, all, tip(7, 2, "x"));
        Sight third = sight(3, all, tip(7, 3, "y"));

        assertThat(RULES.best(List.of(first, second, third))).contains(third);
    }

    @Test
    void theHighestTipWinsBeforeAnyBallot() {
        MemberSet all = set(1, 2);
        Sight low = sight(1, all, tip(7, 9, "x"));
        Sight high = sight(2, all, tip(8, 2, "y"));

        assertThat(RULES.best(List.of(low, high))).contains(high);
    }

    @Test
    void theSameEntryUnderTwoBallotsIsNotYetCommitted() {
        MemberSet all = set(1, 2, 3);
        Sight older = sight(1, all, tip(7, 2, "x"));
        Sight newer = sight(2, all, tip(7, 3, "x"));

        assertThat(RULES.isChosen(newer, List.of(older, newer))).isFalse();
        assertThat(RULES.isChosen(newer, List.of(sight(3, all, tip(7, 3, "x")), newer)))
                .isTrue();
    }

    @Test
    void grantsOfAnotherSetElectNobody() {
        assertThat(RULES.elects(
                        List.of(sight(1, set(1, 2, 3), tip(7, 2, "x")), sight(2, set(1, 2, 3), tip(6, 2, "w")))))
                .isTrue();
        assertThat(RULES.elects(
                        List.of(sight(1, set(1, 2, 3), tip(7, 2, "x")), sight(9, set(1, 2, 3), tip(6, 2, "w")))))
                .isFalse();
    }

    /** INV-3: the set that the tip would install must agree as well. */
    @Test
    void aTipThatInstallsASetNeedsAQuorumOfBoth() {
        MemberSet old = set(1, 2, 3);
        MemberSet young = set(1, 4, 5);
        Tip change = new Tip(new Height(7), new Epoch(2), Hash.ZERO, Hash.ZERO, Optional.of(young));
        Sight one = sight(1, old, Optional.of(change));

        assertThat(RULES.elects(List.of(one, sight(2, old, tip(6, 2, "w"))))).isFalse();
        assertThat(RULES.elects(List.of(one, sight(2, old, tip(6, 2, "w")), sight(4, old, tip(6, 2, "w")))))
                .isTrue();
        assertThat(RULES.elects(List.of(one, sight(4, old, tip(6, 2, "w"))))).isFalse();
    }

    @Test
    void onlyTheSameEntryCounts() {
        MemberSet all = set(1, 2, 3);
        Tip other = tip(9, 2, "y").orElseThrow();

        assertThat(count(all, Map.of(1, new Answer.Accepted(), 2, new Answer.Ahead(true, other))))
                .isEqualTo(QuorumRules.Count.COMMITTED);
        assertThat(count(all, Map.of(1, new Answer.Accepted(), 2, new Answer.Ahead(false, other))))
                .isEqualTo(QuorumRules.Count.OPEN);
        assertThat(count(all, Map.of(1, new Answer.Accepted(), 2, new Answer.Behind(Optional.empty()))))
                .isEqualTo(QuorumRules.Count.OPEN);
        assertThat(count(all, Map.of(1, new Answer.Accepted(), 9, new Answer.Accepted())))
                .isEqualTo(QuorumRules.Count.OPEN);
    }

    @Test
    void oneFencedNodeIsANodeToLiveWithout() {
        MemberSet all = set(1, 2, 3);
        Answer fenced = new Answer.Fenced(new Epoch(9));

        assertThat(count(all, Map.of(1, fenced))).isEqualTo(QuorumRules.Count.OPEN);
        assertThat(count(all, Map.of(1, fenced, 2, new Answer.Accepted(), 3, new Answer.Accepted())))
                .isEqualTo(QuorumRules.Count.COMMITTED);
        assertThat(count(all, Map.of(1, fenced, 2, fenced))).isEqualTo(QuorumRules.Count.FENCED);
    }

    @Test
    void whatNobodyAnsweredIsUnknown() {
        MemberSet all = set(1, 2, 3);
        Answer lost = new Answer.Lost("100 ms");

        assertThat(count(all, Map.of(1, new Answer.Accepted(), 2, lost, 3, lost)))
                .isEqualTo(QuorumRules.Count.UNKNOWN);
    }

    private static QuorumRules.Count count(MemberSet governing, Map<Integer, Answer> answers) {
        Map<MemberId, Answer> byId = new HashMap<>();
        answers.forEach((n, answer) -> byId.put(id(n), answer));
        Set<MemberId> pending = new HashSet<>();
        governing.members().stream()
                .map(Member::id)
                .filter(member -> !byId.containsKey(member))
                .forEach(pending::add);
        return RULES.count(governing, byId, pending);
    }
}
