package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Look;
import dev.baton.authority.Page;
import dev.baton.authority.Promotion;
import dev.baton.authority.Resignation;
import dev.baton.authority.Trim;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays when the engine, or the holder, starts anew. */
interface RestartTests extends AtBench {

    @Test
    default void committedEntriesSurviveARestartOfTheEngine() {
        Holding holding = bench().contender(1).take();
        List<Entry> written = holding.commit(20);

        Contender reader = bench().restartEngine(bench().contender(2)).getFirst();

        assertThat(bench().patience().until("the ledger is back", reader::ledger, ledger -> ledger.size() >= 20))
                .isEqualTo(written);
    }

    /** INV-1: an engine that forgot its epochs would give one away twice. */
    @Test
    default void epochsGrowAcrossARestartOfTheEngine() {
        Contender contender = bench().contender(1);
        Epoch highest = Epoch.NONE;
        for (int i = 0; i < 3; i++) {
            Holding holding = contender.take();
            holding.resign();
            highest = holding.term().epoch();
        }

        Contender again = bench().restartEngine(contender).getFirst();
        Holding holding = again.takeUntilElected(new Claim.Vacancy());

        assertThat(holding.term().epoch()).isGreaterThan(highest);
        assertThat(holding.elected().predecessorEnded()).isEqualTo(Ending.RESIGNED);
    }

    /** INV-1: the term goes on, or it is over; it never does both, and nothing is lost in either case. */
    @Test
    default void afterARestartOfTheEngineTheHolderGoesOnOrIsFenced() {
        Holding before = bench().contender(1).take();
        List<Entry> written = new ArrayList<>(before.commit(5));

        List<Contender> again = bench().restartEngine(before.contender(), bench().contender(2));
        Contender holder = again.get(0);
        Contender other = again.get(1);
        Entry next = before.draft("after the restart");
        Appended outcome = holder.appendUntilDecided(before.term(), next);

        if (outcome instanceof Appended.Committed) {
            written.add(next);
            assertThat(holder.take().term()).isEqualTo(before.term());
            holder.resignUntilDone(before.term());
        } else {
            assertThat(outcome).isInstanceOf(Appended.Fenced.class);
        }
        Holding successor = other.takeUntilElected(new Claim.Vacancy());
        assertThat(successor.term().epoch()).isGreaterThan(before.term().epoch());
        assertThat(successor.elected().head()).isEqualTo(written.getLast().asHead());
        assertThat(holder.appendUntilDecided(before.term(), next)).isInstanceOf(Appended.Fenced.class);
        assertThat(other.ledger()).isEqualTo(written);
    }

    /** INV-2: what the old process committed stays; the new one goes on under a term of its own. */
    @Test
    default void aRestartedHolderGoesOnFromTheLedger() {
        Contender first = bench().contender(1);
        Holding old = first.take();
        List<Entry> written = new ArrayList<>(old.commit(5));

        Contender second = bench().restart(first);
        Holding anew = second.takeUntilElected(new Claim.Evidence(old.term()));
        written.add(anew.commit("after the restart"));

        assertThat(anew.term().epoch()).isGreaterThan(old.term().epoch());
        assertThat(second.ledger()).isEqualTo(written);
    }

    @Test
    default void closingDoesNotResign() {
        Contender first = bench().contender(1);
        Contender successor = bench().contender(2);
        Holding old = first.take();
        old.commit(1);

        bench().leaveEngine(first);
        Holding next = successor.takeUntilElected(new Claim.Vacancy());

        assertThat(next.elected().predecessorEnded()).isEqualTo(Ending.LAPSED);
        assertThat(next.elected().head()).isEqualTo(old.head());
    }

    @Test
    default void aClosedAuthorityAnswersThatItIsOutOfReach() {
        Contender contender = bench().contender(1);
        Holding holding = contender.take();
        Entry entry = holding.draft("too late");

        bench().leaveEngine(contender);
        contender.authority().close();

        assertThat(contender.askEverything(holding.term(), entry))
                .allMatch(outcome -> outcome instanceof Promotion.Unavailable
                        || outcome instanceof Promotion.Indeterminate
                        || outcome instanceof Appended.Unavailable
                        || outcome instanceof Appended.Indeterminate
                        || outcome instanceof Trim.Unknown
                        || outcome instanceof Page.Unavailable
                        || outcome instanceof Look.Unavailable
                        || outcome instanceof Resignation.Unknown);
    }

    /** INV-1, INV-2: while the holder's process is down, somebody else takes over; it comes back as one of many. */
    @Test
    default void aHolderThatComesBackFindsItsSuccessor() {
        Contender first = bench().contender(1);
        Holding old = first.take();
        old.commit(3);
        bench().silence(first);
        Holding present = bench().contender(2).takeUntilElected(new Claim.Vacancy());
        present.commit("by the successor");

        Contender back = bench().restart(first);

        Appended outcome = back.appendUntilDecided(old.term(), old.draft("from the past"));
        assertThat(outcome).isInstanceOf(Appended.Fenced.class);
        List<Entry> read = bench().patience().until("it catches up", back::ledger, ledger -> ledger.size() == 4);
        assertThat(read.getLast().asHead()).isEqualTo(present.head());
        present.commit("undisturbed");
    }
}
