package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockBody;
import dev.baton.duty.sequencer.block.BlockBodyCodec;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private final List<StoredBlock> chain = new ArrayList<>();
    private final History history = new History(this::range);

    private List<StoredBlock> range(Height from, int blocks, long bytes) {
        int begin = (int) Math.min(chain.size(), from.value() - 1);
        return List.copyOf(chain.subList(begin, Math.min(chain.size(), begin + blocks)));
    }

    private void block(long atMillis, Fact... facts) {
        Head head = chain.isEmpty() ? Head.GENESIS : chain.getLast().block().asHead();
        chain.add(StoredBlock.unsigned(Block.of(Entry.after(
                head,
                SeatId.of("demo", "blocks"),
                new Epoch(1),
                List.of(facts),
                BlockBodyCodec.encode(new BlockBody(atMillis, "", List.of()))))));
    }

    private static Fact opened(long epoch, String node, Ending before) {
        Term term = new Term(new Epoch(epoch), new Holder(new NodeId(node), new Incarnation(epoch)));
        return new Fact.Opened(new Seating(term, ""), before, 0);
    }

    @Test
    void aTermReachesFromItsOpeningToTheNext() throws Exception {
        block(1000, opened(1, "n1", Ending.NONE));
        block(2000);
        block(5500, opened(4, "n2", Ending.LAPSED));

        List<History.Held> terms = history.terms(10);

        assertThat(terms).hasSize(2);
        assertThat(terms.getFirst().firstHeight()).isEqualTo(new Height(1));
        assertThat(terms.getFirst().lastHeight()).isEqualTo(new Height(2));
        assertThat(terms.getFirst().ended()).isEqualTo(Ending.LAPSED);
        assertThat(terms.getFirst().gapMillis()).isNull();
        assertThat(terms.getLast().gapMillis()).isEqualTo(3500);
        assertThat(terms.getLast().ended()).isNull();
    }

    @Test
    void whatComesLaterIsReadWhenItIsAskedFor() throws Exception {
        block(1000, opened(1, "n1", Ending.NONE));
        assertThat(history.terms(10).getLast().lastHeight()).isEqualTo(new Height(1));

        block(2000);
        block(3000, new Fact.Resigned("done"));

        assertThat(history.terms(10).getLast().lastHeight()).isEqualTo(new Height(3));
        assertThat(history.terms(10).getLast().ended()).isEqualTo(Ending.RESIGNED);
    }

    @Test
    void theNewestTermsAreKeptWithinTheLimit() throws Exception {
        for (int epoch = 1; epoch <= 5; epoch++) {
            block(epoch, opened(epoch, "n1", Ending.RESIGNED));
        }

        assertThat(history.terms(2))
                .extracting(held -> held.term().epoch().value())
                .containsExactly(4L, 5L);
    }
}
