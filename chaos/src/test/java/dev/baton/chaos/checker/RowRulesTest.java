package dev.baton.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowRulesTest {

    private final List<Event> events = new ArrayList<>();

    /** A row that this server took on this timeline, between two moments. */
    private void written(long op, String server, long timeline, long fromNanos, long toNanos) {
        events.add(new Event.Invoked(fromNanos, op, "c1", server, new Request.Write("row " + op)));
        events.add(new Event.Answered(toNanos, op, new Answer.Written(server, timeline)));
    }

    private void held(String server, String... rows) {
        events.add(new Event.FinalRows(1000, server, List.of(rows)));
    }

    private List<Violation> found(Rule rule) {
        return Judge.judge(events, Bounds.usual()).violations().stream()
                .filter(each -> each.rule() == rule)
                .toList();
    }

    @Test
    void aPromotionBetweenTwoRowsIsFine() {
        written(1, "n1", 1, 10, 20);
        written(2, "n2", 2, 30, 40);
        held("n1", "row 1", "row 2");
        held("n2", "row 1", "row 2");
        assertThat(found(Rule.ONE_PRIMARY)).isEmpty();
        assertThat(found(Rule.ACKNOWLEDGED)).isEmpty();
        assertThat(found(Rule.AGREEMENT)).isEmpty();
    }

    @Test
    void rowsThatOverlapTheChangeAreInNoOrder() {
        written(1, "n2", 2, 30, 40);
        written(2, "n1", 1, 35, 60);
        assertThat(found(Rule.ONE_PRIMARY)).isEmpty();
    }

    @Test
    void anOldPrimaryThatTakesARowAfterItsSuccessorIsFound() {
        written(1, "n2", 2, 30, 40);
        written(2, "n1", 1, 50, 60);
        assertThat(found(Rule.ONE_PRIMARY)).singleElement().satisfies(each -> {
            assertThat(each.ops()).containsExactly(1L, 2L);
            assertThat(each.text()).contains("n1 took a row on timeline 1 after n2");
        });
    }

    @Test
    void twoPrimariesOfOneTimelineAreFound() {
        written(1, "n1", 2, 10, 20);
        written(2, "n2", 2, 12, 22);
        assertThat(found(Rule.ONE_PRIMARY))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).contains("both n1 and n2"));
    }

    @Test
    void anAcknowledgedRowThatNobodyHoldsIsLost() {
        written(1, "n1", 1, 10, 20);
        held("n1");
        held("n2");
        assertThat(found(Rule.ACKNOWLEDGED))
                .singleElement()
                .satisfies(each -> assertThat(each.ops()).containsExactly(1L));
    }

    @Test
    void aServerWithoutARowThatOthersHoldIsNoCopy() {
        written(1, "n1", 1, 10, 20);
        held("n1", "row 1");
        held("n2");
        assertThat(found(Rule.ACKNOWLEDGED)).isEmpty();
        assertThat(found(Rule.AGREEMENT))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).contains("missing at [n2]"));
    }

    @Test
    void aRunWhoseDatabasesWereNotReadIsInDoubt() {
        written(1, "n1", 1, 10, 20);
        assertThat(Judge.judge(events, Bounds.usual()).doubts()).contains("no database was read at the end");
    }
}
