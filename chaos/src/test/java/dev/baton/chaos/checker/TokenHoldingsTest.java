package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.history.Reserved;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run of tokens is held against what nodes and engine servers have at the end. */
class TokenHoldingsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Reserved FIRST = new Reserved(3, 1, 101, 1, 4);
    private static final Reserved SECOND_TERM = new Reserved(5, 101, 161, 5, 8);

    @Test
    void whatWasGivenOutAndIsHeldIsNoViolation() {
        List<Event> events = events(new Answer.Issued(96, 100, 1, 7, 3, 4));
        addTokens(events, List.of(FIRST, SECOND_TERM), List.of(FIRST, SECOND_TERM));
        addLedger(events, "etcd-1", held(4, "a", 3));
        addLedger(events, "etcd-2", held(4, "a", 3));
        Judgement judgement = Judge.judge(events, Bounds.usual());
        assertThat(judgement.counts()).doesNotContainKeys(Rule.ACKNOWLEDGED, Rule.AGREEMENT, Rule.UNIQUE_TOKENS);
        assertThat(judgement.doubts()).noneMatch(each -> each.contains("tokens"));
    }

    @Test
    void tokensThatNobodyReservedAreFound() {
        List<Event> events = events(new Answer.Issued(100, 101, 1, 7, 3, 4));
        addTokens(events, List.of(FIRST, SECOND_TERM), List.of(FIRST, SECOND_TERM));
        assertFound(events, Rule.ACKNOWLEDGED, "tokens 100 to 101 of strict");
    }

    @Test
    void tokensOfATermThatWasForgottenAreNotMissed() {
        List<Event> events = events(new Answer.Issued(5, 6, 1, 7, 1, 1));
        events.add(new Event.FinalTokens(9 * SECOND, "n1", "strict", 101, List.of(SECOND_TERM)));
        assertThat(Judge.judge(events, Bounds.usual()).counts()).doesNotContainKey(Rule.ACKNOWLEDGED);
    }

    @Test
    void nodesThatHoldDifferentThingsAreFound() {
        List<Event> events = events(new Answer.Issued(1, 2, 1, 7, 3, 4));
        addTokens(events, List.of(FIRST, SECOND_TERM), List.of(FIRST, new Reserved(6, 101, 161, 5, 8)));
        assertFound(events, Rule.AGREEMENT, "n1 holds");
    }

    @Test
    void aNodeThatIsReadLaterMayKnowMore() {
        List<Event> events = events(new Answer.Issued(1, 2, 1, 7, 3, 4));
        addTokens(events, List.of(new Reserved(3, 1, 50, 1, 2)), List.of(FIRST, SECOND_TERM));
        assertThat(Judge.judge(events, Bounds.usual()).counts()).doesNotContainKey(Rule.AGREEMENT);
    }

    @Test
    void aNodeThatShowsNothingIsFound() {
        List<Event> events = events(new Answer.Issued(1, 2, 1, 7, 3, 4));
        events.add(new Event.FinalTokens(9 * SECOND, "n1", "strict", 1, List.of(FIRST)));
        assertFound(events, Rule.AGREEMENT, "n2 did not show");
    }

    @Test
    void termsThatReservedTheSameTokensAreFound() {
        List<Event> events = events(new Answer.Issued(1, 2, 1, 7, 3, 4));
        List<Reserved> twice = List.of(FIRST, new Reserved(5, 100, 161, 5, 8));
        addTokens(events, twice, twice);
        assertFound(events, Rule.UNIQUE_TOKENS, "higher tokens");
    }

    @Test
    void engineServersThatDifferAtACommittedHeightAreFound() {
        List<Event> events = events(new Answer.Issued(96, 100, 1, 7, 3, 4));
        addLedger(events, "etcd-1", held(4, "a", 3));
        addLedger(events, "etcd-2", held(4, "b", 3));
        assertFound(events, Rule.AGREEMENT, "another one holds a");
    }

    @Test
    void aTipThatIsNotCommittedMayDiffer() {
        List<Event> events = events(new Answer.Issued(96, 100, 1, 7, 3, 4));
        addTokens(events, List.of(FIRST), List.of(FIRST));
        addLedger(events, "etcd-1", held(5, "a", 3));
        addLedger(events, "etcd-2", held(5, "b", 5));
        assertThat(Judge.judge(events, Bounds.usual()).counts()).doesNotContainKey(Rule.AGREEMENT);
    }

    @Test
    void anEntryOfAnotherEpochThanTheClientWasToldIsFound() {
        List<Event> events = events(new Answer.Issued(96, 100, 1, 7, 3, 4));
        addLedger(events, "etcd-1", held(4, "a", 5));
        assertFound(events, Rule.AGREEMENT, "an entry of epoch 5 at height 4");
    }

    @Test
    void aRunInWhichNoNodeToldIsInDoubt() {
        List<Event> events = events(new Answer.Issued(1, 2, 1, 7, 3, 4));
        assertThat(Judge.judge(events, Bounds.usual()).doubts()).contains("no node told at the end where tokens went");
    }

    private static void assertFound(List<Event> events, Rule rule, String text) {
        assertThat(Judge.judge(events, Bounds.usual()).violations()).anySatisfy(each -> {
            assertThat(each.rule()).isEqualTo(rule);
            assertThat(each.text()).contains(text);
        });
    }

    private static List<Event> events(Answer.Issued issued) {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Begun(
                0,
                new Setting(
                        1, "etcd", "tokens", List.of("n1", "n2"), List.of("etcd-1", "etcd-2"), SECOND, "", "", "", ""),
                List.of()));
        events.add(new Event.Invoked(SECOND, 1, "c1", "n1", new Request.Next("strict", 5, Request.Next.STRICT)));
        events.add(new Event.Answered(2 * SECOND, 1, issued));
        return events;
    }

    private static void addTokens(List<Event> events, List<Reserved> first, List<Reserved> second) {
        events.add(new Event.FinalTokens(9 * SECOND, "n1", "strict", 1, first));
        events.add(new Event.FinalTokens(9 * SECOND, "n2", "strict", 1, second));
    }

    private static Held held(long height, String hash, long epoch) {
        return new Held(height, hash, "", epoch, "", 1, List.of());
    }

    private static void addLedger(List<Event> events, String engine, Held held) {
        events.add(new Event.FinalLedger(9 * SECOND, engine, List.of(held)));
    }
}
