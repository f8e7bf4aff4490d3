package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.PoolRecord;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolRulesTest {

    private static final String IN_CHAIN = "t1";
    private static final String NOT_IN_CHAIN = "t2";
    private static final List<String> WHOLE_WAY = List.of("PENDING", "PROPAGATED", "CONFIRMED", "FINALIZED");

    /** A pool that took one transaction and tells this of it at the end. */
    private static Judgement judged(String transaction, List<PoolRecord> atTheEnd) {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Invoked(1, 7, "c1", "n1", new Request.Offer(transaction)));
        events.add(new Event.Answered(2, 7, new Answer.Pooled()));
        events.add(new Event.FinalStore(3, "n1", List.of(new Held(1, "b1", "", 1, "n1", 1, List.of(IN_CHAIN)))));
        events.add(new Event.FinalPool(3, "n1", atTheEnd));
        return Judge.judge(events, Bounds.usual());
    }

    private static void assertBroken(Judgement judgement, Rule rule, String text) {
        assertThat(judgement.violations())
                .filteredOn(each -> each.rule() == rule)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.text()).contains(text);
                    assertThat(each.ops()).containsExactly(7L);
                });
    }

    private static PoolRecord record(String transaction, List<String> lists, List<String> stages) {
        return new PoolRecord(transaction, lists, stages);
    }

    @Test
    void oneThatIsFinalOnceAndInTheChainIsFine() {
        Judgement judgement = judged(IN_CHAIN, List.of(record(IN_CHAIN, List.of("FINALIZED"), WHOLE_WAY)));
        assertThat(judgement.counts()).doesNotContainKeys(Rule.ONE_END, Rule.ACKNOWLEDGED);
    }

    @Test
    void oneThatWasDroppedNeedNotBeInTheChain() {
        Judgement judgement =
                judged(NOT_IN_CHAIN, List.of(record(NOT_IN_CHAIN, List.of("DROPPED"), List.of("PENDING", "DROPPED"))));
        assertThat(judgement.counts()).doesNotContainKeys(Rule.ONE_END, Rule.ACKNOWLEDGED);
    }

    @Test
    void oneThatThePoolForgotIsFound() {
        assertBroken(judged(IN_CHAIN, List.of()), Rule.ACKNOWLEDGED, "knows nothing of it");
    }

    @Test
    void oneThatNeverEndsIsFound() {
        assertBroken(
                judged(IN_CHAIN, List.of(record(IN_CHAIN, List.of("PENDING"), List.of("PENDING")))),
                Rule.ONE_END,
                "is still PENDING");
    }

    @Test
    void oneInTwoListsIsFound() {
        assertBroken(
                judged(IN_CHAIN, List.of(record(IN_CHAIN, List.of("PENDING", "FINALIZED"), WHOLE_WAY))),
                Rule.ONE_END,
                "[PENDING, FINALIZED]");
    }

    @Test
    void oneThatEndedTwiceIsFound() {
        assertBroken(
                judged(
                        IN_CHAIN,
                        List.of(record(IN_CHAIN, List.of("FINALIZED"), List.of("PENDING", "FINALIZED", "FINALIZED")))),
                Rule.ONE_END,
                "one end, and nothing after it");
    }

    @Test
    void oneThatIsFinalAndInNoBlockIsFound() {
        assertBroken(
                judged(NOT_IN_CHAIN, List.of(record(NOT_IN_CHAIN, List.of("FINALIZED"), WHOLE_WAY))),
                Rule.ONE_END,
                "in no block");
    }
}
