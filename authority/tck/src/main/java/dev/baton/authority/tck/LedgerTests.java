package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One entry per height, each after its parent. */
interface LedgerTests extends AtBench {

    @Test
    default void aCommittedEntryIsTheNewHead() {
        Holding holding = bench().contender(1).take();

        Entry entry = holding.draft("one");
        Appended outcome = holding.contender().appendUntilDecided(holding.term(), entry);

        assertThat(Answers.expect(Appended.Committed.class, outcome).entry()).isEqualTo(entry);
        assertThat(holding.contender().page(1).head()).isEqualTo(entry.asHead());
        assertThat(holding.contender().ledger()).containsExactly(entry);
    }

    /** INV-3. */
    @Test
    default void anotherEntryAtTheHeadsHeightIsRefused() {
        Holding holding = bench().contender(1).take();
        Entry rival = holding.draft("rival");
        Entry committed = holding.commit("first come");

        assertRefused(holding, rival);
        assertThat(holding.contender().ledger()).containsExactly(committed);
    }

    /** INV-3. */
    @Test
    default void anotherEntryAtAnEarlierHeightIsRefused() {
        Holding holding = bench().contender(1).take();
        Entry first = holding.commit("one");
        Entry rival = holding.draft("rival");
        Entry second = holding.commit("two");
        Entry third = holding.commit("three");

        assertRefused(holding, rival);
        assertThat(holding.contender().ledger()).containsExactly(first, second, third);
    }

    /** INV-4. */
    @Test
    default void anEntryWithAnotherParentIsAConflict() {
        Holding holding = bench().contender(1).take();
        Entry first = holding.commit("one");
        Hash stranger = Hash.sha256(Bytes.utf8("stranger"));

        Appended outcome = offer(holding, entry(holding, new Head(new Height(1), stranger)));

        assertThat(Answers.expect(Appended.Conflict.class, outcome).actual()).isEqualTo(first.asHead());
        assertThat(holding.contender().ledger()).containsExactly(first);
        holding.commit("two");
    }

    /** INV-4: genesis is a parent like any other. */
    @Test
    default void aFirstEntryWithAParentIsAConflict() {
        Holding holding = bench().contender(1).take();
        Hash stranger = Hash.sha256(Bytes.utf8("stranger"));

        Appended outcome = offer(holding, entry(holding, new Head(Height.ZERO, stranger)));

        assertThat(Answers.expect(Appended.Conflict.class, outcome).actual()).isEqualTo(Head.GENESIS);
        assertThat(holding.contender().ledger()).isEmpty();
    }

    /** INV-4: even if the parent's hash is right. */
    @Test
    default void anEntryThatLeavesAGapIsAConflict() {
        Holding holding = bench().contender(1).take();
        Entry first = holding.commit("one");

        Appended outcome = offer(holding, entry(holding, new Head(new Height(2), first.hash())));

        assertThat(Answers.expect(Appended.Conflict.class, outcome).actual()).isEqualTo(first.asHead());
        assertThat(holding.contender().ledger()).containsExactly(first);
        holding.commit("two");
    }

    @Test
    default void aRepeatedAppendIsCommittedOnce() {
        Holding holding = bench().contender(1).take();
        holding.commit("one");
        Entry entry = holding.commit("two");

        for (int i = 0; i < 3; i++) {
            Appended again = offer(holding, entry);
            assertThat(Answers.expect(Appended.Committed.class, again).entry()).isEqualTo(entry);
        }

        assertThat(holding.contender().ledger()).hasSize(2);
        holding.commit("three");
    }

    @Test
    default void aRepeatedAppendBelowTheHeadIsStillCommitted() {
        Holding holding = bench().contender(1).take();
        Entry entry = holding.commit("one");
        holding.commit(2);

        assertThat(offer(holding, entry)).isInstanceOf(Appended.Committed.class);
        assertThat(holding.contender().ledger()).hasSize(3);
    }

    /** The hash covers the author's epoch, not the ballot: a successor carries an entry over unchanged. */
    @Test
    default void aSuccessorMayCommitWhatItsPredecessorDrafted() {
        Holding old = bench().contender(1).take();
        old.commit("one");
        Entry drafted = old.draft("two, never sent");
        old.resign();
        Holding present = bench().contender(2).take();

        present.commit(drafted);

        Entry stored = present.contender().ledger().getLast();
        assertThat(stored).isEqualTo(drafted);
        assertThat(stored.author()).isEqualTo(old.term().epoch());
    }

    /** Eyes on the rate in the output; nothing is asserted about it. */
    @Test
    default void tenThousandAppendsAreReadBackInOrder() {
        Holding holding = bench().contender(1).take();
        int count = 10_000;

        long begun = System.nanoTime();
        List<Entry> written = holding.commit(count);
        double appendSeconds = (System.nanoTime() - begun) / 1e9;
        begun = System.nanoTime();
        List<Entry> read = holding.contender().ledger();
        double readSeconds = (System.nanoTime() - begun) / 1e9;

        System.out.printf(
                "%s: %,d appends one after the other in %.2f s (%,.0f a second), read back in %.2f s%n",
                holding.contender().authority().kind(), count, appendSeconds, count / appendSeconds, readSeconds);
        assertThat(read).isEqualTo(written);
    }

    private static Entry entry(Holding holding, Head after) {
        return Entry.after(
                after, holding.contender().seat(), holding.term().epoch(), List.of(), Bytes.utf8("odd one out"));
    }

    private static Appended offer(Holding holding, Entry entry) {
        return holding.contender().appendUntilDecided(holding.term(), entry);
    }

    private static void assertRefused(Holding holding, Entry entry) {
        assertThat(offer(holding, entry)).isInstanceOfAny(Appended.Conflict.class, Appended.Fenced.class);
    }
}
