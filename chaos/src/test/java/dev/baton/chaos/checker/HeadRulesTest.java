package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeadRulesTest {

    private final List<Event> events = new ArrayList<>();

    /** A block that this node's sequencer made under this epoch, between two moments. */
    private void made(long op, String node, long epoch, long fromNanos, long toNanos) {
        events.add(new Event.Invoked(fromNanos, op, "prober-" + node, node, new Request.Watch(node)));
        events.add(new Event.Answered(toNanos, op, new Answer.Made(node, epoch, op)));
    }

    private void recorded(long op, long number, String block) {
        events.add(new Event.Invoked(10, op, "c1", "n1", new Request.Follow(0)));
        events.add(new Event.Answered(20, op, new Answer.Recorded("n1", number, block, 1)));
    }

    private void held(String node, long upTo) {
        events.add(new Event.FinalStore(
                1000,
                node,
                LongStream.rangeClosed(1, upTo)
                        .mapToObj(number -> new Held(number, "h" + number, "h" + (number - 1), 1, "", 0, List.of()))
                        .toList()));
    }

    private List<Violation> found(Rule rule) {
        return Judge.judge(events, Bounds.usual()).violations().stream()
                .filter(each -> each.rule() == rule)
                .toList();
    }

    @Test
    void aBlockThatEverySequencerHoldsIsKept() {
        recorded(1, 2, "h2");
        held("n1", 2);
        held("n2", 3);
        assertThat(found(Rule.ACKNOWLEDGED)).isEmpty();
        assertThat(found(Rule.ONE_BLOCK)).isEmpty();
    }

    @Test
    void aRecordedBlockThatNobodyHoldsIsLost() {
        recorded(1, 3, "h3");
        held("n1", 2);
        held("n2", 2);
        assertThat(found(Rule.ACKNOWLEDGED)).singleElement().satisfies(each -> {
            assertThat(each.ops()).containsExactly(1L);
            assertThat(each.text()).contains("block 3").contains("no store holds that number");
        });
    }

    @Test
    void aRecordedBlockWithAnotherInItsPlaceIsFound() {
        recorded(1, 2, "other");
        held("n1", 2);
        assertThat(found(Rule.ONE_BLOCK))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).contains("the stores hold h2"));
    }

    @Test
    void aSuccessorThatMakesBlocksAfterItsPredecessorIsFine() {
        made(1, "n1", 1, 10, 20);
        made(2, "n2", 3, 30, 40);
        made(3, "n2", 3, 50, 60);
        assertThat(found(Rule.HIGHEST_EPOCH)).isEmpty();
        assertThat(found(Rule.ONE_PRODUCER)).isEmpty();
    }

    @Test
    void looksThatOverlapTheChangeAreInNoOrder() {
        made(1, "n2", 3, 30, 40);
        made(2, "n1", 1, 35, 60);
        assertThat(found(Rule.HIGHEST_EPOCH)).isEmpty();
    }

    @Test
    void aSequencerThatWorksOnAfterItsSuccessorIsFound() {
        made(1, "n2", 3, 30, 40);
        made(2, "n1", 1, 50, 60);
        assertThat(found(Rule.HIGHEST_EPOCH)).singleElement().satisfies(each -> {
            assertThat(each.ops()).containsExactly(1L, 2L);
            assertThat(each.text()).contains("of n1 made block 2 in epoch 1 after that of n2");
        });
    }

    @Test
    void twoSequencersUnderOneTermAreFound() {
        made(1, "n1", 2, 10, 20);
        made(2, "n2", 2, 12, 22);
        assertThat(found(Rule.ONE_PRODUCER))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).contains("both n1 and n2"));
    }

    @Test
    void aLedgerWithAHeadThatNoSequencerHoldsIsFound() {
        recorded(1, 2, "h2");
        held("n1", 2);
        events.add(new Event.FinalLedger(1100, "redis-1", List.of(new Held(2, "other", "", 1, "", 0, List.of()))));
        assertThat(found(Rule.AGREEMENT))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).contains("redis-1 holds other at height 2"));
    }

    @Test
    void anAnswerAboutAnOldBlockIsNoSignOfWork() {
        recorded(1, 2, "h2");
        assertThat(Judge.judge(events, Bounds.usual()).commits()).isZero();
    }

    @Test
    void aRunWhoseSequencersWereNotReadOrNeverWorkedIsInDoubt() {
        recorded(1, 2, "h2");
        events.add(new Event.Invoked(10, 2, "prober-n1", "n1", new Request.Watch("n1")));
        events.add(new Event.Answered(20, 2, new Answer.Refused("idle")));
        assertThat(Judge.judge(events, Bounds.usual()).doubts())
                .contains("no store was read at the end", "no sequencer was seen making blocks");
    }
}
