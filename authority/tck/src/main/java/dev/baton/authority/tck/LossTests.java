package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.core.Claim;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost replies and late copies. */
interface LossTests extends AtBench {

    /** INV-5: the same entry again tells what became of it. */
    @Test
    default void anIndeterminateAppendIsResolvedByRepeatingIt() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Holding holding = bench().over(line, plain).take();
        holding.commit("one");
        Entry entry = holding.draft("two");

        line.loseNextReply();
        Appended lost = holding.contender().append(holding.term(), entry);
        Appended repeated = holding.contender().appendUntilDecided(holding.term(), entry);

        assertThat(lost).isInstanceOf(Appended.Indeterminate.class);
        assertThat(Answers.expect(Appended.Committed.class, repeated).entry()).isEqualTo(entry);
        assertThat(holding.contender().ledger()).hasSize(2).last().isEqualTo(entry);
    }

    /** INV-3: what nobody knows about may stand there already. */
    @Test
    default void anotherEntryAfterAnIndeterminateAppendIsRefused() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Holding holding = bench().over(line, plain).take();
        Entry entry = holding.draft("one");
        Entry rival = holding.draft("another one");

        line.loseNextReply();
        holding.contender().append(holding.term(), entry);
        // On an engine that was moving, nothing may have been written yet; then the same entry goes first.
        holding.contender().appendUntilDecided(holding.term(), entry);

        assertThat(holding.contender().appendUntilDecided(holding.term(), rival))
                .isInstanceOfAny(Appended.Conflict.class, Appended.Fenced.class);
        assertThat(holding.contender().ledger()).containsExactly(entry);
    }

    @Test
    default void anIndeterminatePromotionIsResolvedByRepeatingIt() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Contender contender = bench().over(line, plain);

        line.loseNextReply();
        Promotion lost = contender.promote(new Claim.Vacancy());
        Holding holding = contender.take();

        assertThat(lost).isInstanceOf(Promotion.Indeterminate.class);
        assertThat(holding.term().holder()).isEqualTo(contender.holder());
        holding.commit("one");
    }

    @Test
    default void anUnknownResignationIsResolvedByRepeatingIt() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Holding holding = bench().over(line, plain).take();

        line.loseNextReply();
        Resignation lost = holding.contender().resign(holding.term());
        holding.resign();

        assertThat(lost).isInstanceOf(Resignation.Unknown.class);
        assertThat(plain.look()).isInstanceOf(Look.Vacant.class);
    }

    /** INV-1, INV-3: promotion, appends, trim and resignation of a term that is over arrive once more. */
    @Test
    default void lateCopiesOfAnOldTermsRequestsChangeNothing() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Holding old = bench().over(line, plain).take();
        old.commit(3);
        old.contender().trimUntilDecided(old.term(), new Height(2));
        old.resign();
        Holding present = bench().contender(2).take();
        present.commit(2);
        List<Entry> before = present.contender().page(2).entries();

        line.repeatAll();

        assertThat(present.contender().page(2).entries()).isEqualTo(before);
        Look.Held look = Answers.expect(Look.Held.class, present.contender().look());
        assertThat(look.by()).isEqualTo(present.elected().seating());
        assertThat(look.head()).isEqualTo(present.head());
        assertThat(look.oldest()).isEqualTo(new Height(2));
        present.commit("undisturbed");
    }

    /** INV-3: the holder's own earlier appends arrive once more while it goes on. */
    @Test
    default void lateCopiesOfTheHoldersOwnAppendsChangeNothing() {
        Contender plain = bench().contender(1);
        LossyAuthority line = new LossyAuthority(plain.authority());
        Holding holding = bench().over(line, plain).take();
        List<Entry> written = holding.commit(5);

        line.repeatAll();

        assertThat(holding.contender().ledger()).isEqualTo(written);
        holding.commit("the next");
    }
}
