package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Trim;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forgetting what lies below a checkpoint. */
interface TrimmingTests extends AtBench {

    @Test
    default void readingBelowTheOldestEntryIsAnsweredWithIt() {
        Holding holding = bench().contender(1).take();
        List<Entry> written = withCheckpoint(holding);

        Trim outcome = holding.contender().trimUntilDecided(holding.term(), new Height(4));

        assertThat(outcome).isEqualTo(new Trim.Done(new Height(4)));
        assertThat(holding.contender().readUntilDecided(new Height(3), PageLimit.DEFAULT))
                .isEqualTo(new Page.Trimmed(new Height(4)));
        assertThat(holding.contender().page(4).entries()).isEqualTo(written.subList(3, written.size()));
        Look.Held look = Answers.expect(Look.Held.class, holding.contender().look());
        assertThat(look.oldest()).isEqualTo(new Height(4));
    }

    @Test
    default void trimmingBeyondTheHeadKeepsTheHead() {
        Holding holding = bench().contender(1).take();
        List<Entry> written = withCheckpoint(holding);
        Height head = holding.head().height();

        Trim outcome = holding.contender().trimUntilDecided(holding.term(), new Height(head.value() + 10));

        assertThat(outcome).isEqualTo(new Trim.Done(head));
        assertThat(holding.contender().page(head.value()).entries()).containsExactly(written.getLast());
        holding.commit("life goes on");
    }

    @Test
    default void trimmingAgainAndTrimmingLessChangesNothing() {
        Holding holding = bench().contender(1).take();
        withCheckpoint(holding);
        holding.contender().trimUntilDecided(holding.term(), new Height(4));

        assertThat(holding.contender().trimUntilDecided(holding.term(), new Height(4)))
                .isEqualTo(new Trim.Done(new Height(4)));
        assertThat(holding.contender().trimUntilDecided(holding.term(), new Height(2)))
                .isEqualTo(new Trim.Done(new Height(4)));
    }

    /** INV-4: the chain goes on where it was, though most of it is forgotten. */
    @Test
    default void theNextHolderGoesOnAfterATrim() {
        Holding old = bench().contender(1).take();
        withCheckpoint(old);
        old.contender().trimUntilDecided(old.term(), old.head().height());
        old.resign();

        Holding present = bench().contender(2).take();

        assertThat(present.elected().head()).isEqualTo(old.head());
        present.commit("the next");
        assertThat(present.contender()
                        .page(present.elected().head().height().value())
                        .entries())
                .hasSize(2);
    }

    private static List<Entry> withCheckpoint(Holding holding) {
        List<Entry> written = new ArrayList<>(holding.commit(4));
        Fact checkpoint = new Fact.Checkpoint(new Height(4), 1, 1, Bytes.utf8("the state after 4"));
        written.add(holding.commit(holding.draft(Bytes.utf8("with a checkpoint"), checkpoint)));
        written.add(holding.commit("one more"));
        return written;
    }
}
