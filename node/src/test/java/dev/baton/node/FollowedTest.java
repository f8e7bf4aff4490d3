package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
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
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowedTest {

    private static final long START = 1_700_000_000_000L;

    private long nowMillis = START;
    private final Followed followed = new Followed(() -> Instant.ofEpochMilli(nowMillis));
    private Head head = Head.GENESIS;

    private Entry entry(Fact... facts) {
        Entry entry = Entry.after(
                head, SeatId.of("demo", "ids"), new Epoch(1), List.of(facts), Bytes.utf8("payload at " + nowMillis));
        head = entry.asHead();
        return entry;
    }

    private void take(long atMillis, Fact... facts) {
        nowMillis = atMillis;
        followed.take(entry(facts));
    }

    private static Fact opened(long epoch, String node, Ending before, long atMillis) {
        Term term = new Term(new Epoch(epoch), new Holder(new NodeId(node), new Incarnation(epoch)));
        return new Fact.Opened(new Seating(term, ""), before, atMillis);
    }

    @Test
    void aChangeOfHolderThatIsSeenHappenHasAGap() {
        take(START, opened(1, "n1", Ending.NONE, START));
        take(START + 2000);
        take(START + 5500, opened(4, "n2", Ending.LAPSED, START + 5400));
        take(START + 6000);

        List<History.Held> terms = followed.terms(10);

        assertThat(terms).extracting(held -> held.term().node().value()).containsExactly("n1", "n2");
        assertThat(terms.getFirst().gapMillis()).isNull();
        assertThat(terms.getFirst().lastHeight()).isEqualTo(new Height(2));
        assertThat(terms.getFirst().ended()).isEqualTo(Ending.LAPSED);
        assertThat(terms.getLast().gapMillis()).isEqualTo(3500);
        assertThat(terms.getLast().lastBlockAtMillis()).isEqualTo(START + 6000);
        assertThat(terms.getLast().ended()).isNull();
    }

    /** All of it comes within a moment: how long the gap was cannot be known, and must not be shown as nothing. */
    @Test
    void whatANodeCatchesUpWithHasTermsButNoGaps() {
        long now = START + 3_600_000;
        take(now, opened(1, "n1", Ending.NONE, START));
        take(now);
        take(now, opened(2, "n2", Ending.RESIGNED, START + 60_000));
        take(now);

        List<History.Held> terms = followed.terms(10);

        assertThat(terms).extracting(History.Held::gapMillis).containsExactly(null, null);
        assertThat(terms.getFirst().lastBlockAtMillis())
                .as("before its successor began")
                .isEqualTo(START + 60_000);
        assertThat(terms.getLast().openedAtMillis()).isEqualTo(START + 60_000);
    }

    @Test
    void anEntryThatIsOfferedAgainChangesNothing() {
        Entry first = entry(opened(1, "n1", Ending.NONE, START));
        followed.take(first);
        followed.take(entry(new Fact.Resigned("done")));
        followed.take(first);

        assertThat(followed.terms(10)).singleElement().satisfies(held -> {
            assertThat(held.lastHeight()).isEqualTo(new Height(2));
            assertThat(held.ended()).isEqualTo(Ending.RESIGNED);
        });
        assertThat(followed.newest()).hasSize(2);
    }

    @Test
    void theNewestEntriesAreKeptInShort() {
        take(START, opened(1, "n1", Ending.NONE, START));
        assertThat(followed.newest().getFirst().opens()).isEqualTo("n1");
        for (int i = 1; i <= Followed.KEPT; i++) {
            take(START + i);
        }

        List<Followed.Seen> newest = followed.newest();

        assertThat(newest).hasSize(Followed.KEPT);
        assertThat(newest.getLast().hash()).isEqualTo(head.hash());
        assertThat(newest.getLast().parent())
                .isEqualTo(newest.get(newest.size() - 2).hash());
        assertThat(newest.getLast().bytes()).isEqualTo(("payload at " + nowMillis).length());
    }
}
