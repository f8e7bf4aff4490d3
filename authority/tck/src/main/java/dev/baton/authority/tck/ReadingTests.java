package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reading returns: a prefix of the truth, unchanged. */
interface ReadingTests extends AtBench {

    @Test
    default void aPageHoldsNoMoreEntriesThanAsked() {
        Holding holding = bench().contender(1).take();
        List<Entry> written = holding.commit(7);

        Page.Entries page = holding.contender().page(new Height(3), new PageLimit(2, 1 << 20));

        assertThat(page.entries()).isEqualTo(written.subList(2, 4));
        assertThat(page.head()).isEqualTo(holding.head());
    }

    @Test
    default void aPageHoldsNoMorePayloadThanAsked() {
        Holding holding = bench().contender(1).take();
        for (int i = 0; i < 5; i++) {
            holding.commit(holding.draft(noise(1000)));
        }

        Page.Entries page = holding.contender().page(Height.FIRST, new PageLimit(100, 2500));

        // An engine may count its own framing along; it may return less, never more.
        assertThat(page.entries()).hasSizeBetween(1, 2);
        assertThat(page.entries().getFirst().height()).isEqualTo(Height.FIRST);
    }

    @Test
    default void aPageHoldsAtLeastOneEntryWhateverItsSize() {
        Holding holding = bench().contender(1).take();
        holding.commit(holding.draft(noise(5000)));
        holding.commit(holding.draft(noise(5000)));

        Page.Entries page = holding.contender().page(new Height(2), new PageLimit(100, 1));

        assertThat(page.entries()).hasSize(1);
        assertThat(page.entries().getFirst().height()).isEqualTo(new Height(2));
    }

    @Test
    default void readingBeyondTheHeadReturnsNothing() {
        Holding holding = bench().contender(1).take();
        holding.commit(2);

        assertThat(holding.contender().page(3).entries()).isEmpty();
        assertThat(holding.contender().page(3).head()).isEqualTo(holding.head());
        assertThat(holding.contender().page(1_000_000).entries()).isEmpty();
    }

    @Test
    default void everyNodeReadsWhatTheHolderCommitted() {
        Holding holding = bench().contender(1).take();
        List<Entry> written = holding.commit(20);
        Contender reader = bench().contender(2);

        List<Entry> read =
                bench().patience().until("all entries arrive", reader::ledger, ledger -> ledger.size() == 20);

        assertThat(read).isEqualTo(written);
    }

    /** A reader may lag, but what it is given is the beginning of the ledger, without holes. */
    @Test
    default void aReaderSeesAPrefixWhileTheHolderWrites() {
        Holding holding = bench().contender(1).take();
        Contender reader = bench().contender(2);

        for (int i = 0; i < 50; i++) {
            holding.commit("entry " + i);
            Head parent = Head.GENESIS;
            for (Entry entry : reader.ledger()) {
                assertThat(entry.follows(parent))
                        .as("%s follows %s", entry, parent)
                        .isTrue();
                parent = entry.asHead();
            }
            assertThat(parent.height()).isLessThanOrEqualTo(holding.head().height());
        }
        assertThat(holding.contender().ledger()).hasSize(50);
    }

    /** An object that has reported a head can be read up to it. */
    @Test
    default void theNewHolderReadsEverythingUpToTheHeadItWasGiven() {
        Holding old = bench().contender(1).take();
        List<Entry> written = old.commit(30);
        old.resign();

        Holding present = bench().contender(2).take();

        assertThat(present.contender().ledger()).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64 << 10, 1 << 20})
    default void aPayloadSurvivesUnchanged(int size) {
        Holding holding = bench().contender(1).take();
        Bytes payload = noise(size);

        Entry written = holding.commit(holding.draft(payload));
        holding.commit("something after it");

        Entry read = holding.contender().page(1).entries().getFirst();
        assertThat(read.payload()).isEqualTo(payload);
        assertThat(read.hash()).isEqualTo(written.hash());
    }

    @Test
    default void factsOfEveryKindSurviveUnchanged() {
        Holding holding = bench().contender(1).take();
        Fact[] facts = {
            new Fact.Opened(holding.elected().seating(), Ending.NONE, 1_700_000_000_000L),
            new Fact.Resigned("for maintenance: ümlaut, 日本"),
            new Fact.HandoffAborted(bench().contender(2).node()),
            new Fact.Checkpoint(new Height(7), 2, 3, noise(300)),
            new Fact.NodeSet(List.of("redis-1:6379", "redis-2:6379"))
        };

        Entry written = holding.commit(holding.draft(Bytes.utf8("with facts"), facts));

        Entry read = holding.contender().page(1).entries().getFirst();
        assertThat(read.facts()).containsExactly(facts);
        assertThat(read.hash()).isEqualTo(written.hash());
        assertThat(read.author()).isEqualTo(holding.term().epoch());
    }

    private static Bytes noise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }
}
