package dev.baton.authority.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.Appended;
import dev.baton.authority.Trim;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a term that is over can still do: nothing. INV-1 and INV-2 throughout. */
interface FencingTests extends AtBench {

    @Test
    default void staleTermIsFencedOnAppend() {
        Holding old = bench().contender(1).take();
        old.commit("one");
        old.resign();
        Holding present = bench().contender(2).take();

        Appended.Fenced fenced = Answers.expect(Appended.Fenced.class, old.tryNext("from the past"));

        assertThat(fenced.by()).isGreaterThanOrEqualTo(old.term().epoch());
        assertThat(present.contender().ledger()).hasSize(1);
    }

    @Test
    default void resignedTermIsFencedEvenWhileTheSeatIsVacant() {
        Holding old = bench().contender(1).take();
        old.commit("one");
        old.resign();

        assertThat(old.tryNext("after the end")).isInstanceOf(Appended.Fenced.class);
        assertThat(old.contender().ledger()).hasSize(1);
    }

    /** INV-6: {@code Committed} renews the lease, so a term without one must not hear it. */
    @Test
    default void staleTermIsNotToldCommittedEvenForAnEntryItDidCommit() {
        Holding old = bench().contender(1).take();
        Entry own = old.commit("one");
        old.resign();
        Holding present = bench().contender(2).take();

        assertThat(old.contender().appendUntilDecided(old.term(), own)).isInstanceOf(Appended.Fenced.class);
        assertThat(present.contender().ledger()).containsExactly(own);
    }

    @Test
    default void staleTermIsFencedOnTrim() {
        Holding old = bench().contender(1).take();
        old.commit(3);
        old.resign();
        Holding present = bench().contender(2).take();

        assertThat(old.contender().trimUntilDecided(old.term(), new Height(3))).isInstanceOf(Trim.Fenced.class);
        assertThat(present.contender().ledger()).hasSize(3);
    }

    @Test
    default void staleTermsResignationIsHarmless() {
        Holding old = bench().contender(1).take();
        old.resign();
        Holding present = bench().contender(2).take();

        old.resign();

        present.commit("undisturbed");
    }

    @Test
    default void aTermThatWasNeverGrantedCommitsNothing() {
        Holding holding = bench().contender(1).take();
        Term invented = new Term(
                new Epoch(holding.term().epoch().value() + 1000), holding.term().holder());
        Entry entry =
                Entry.after(holding.head(), bench().seat(), invented.epoch(), List.of(), Bytes.utf8("from nowhere"));

        Appended outcome = holding.contender().appendUntilDecided(invented, entry);

        assertThat(outcome).isNotInstanceOf(Appended.Committed.class);
        assertThat(holding.contender().ledger()).isEmpty();
        holding.commit("undisturbed");
    }

    @Test
    default void anotherIncarnationOfTheHoldersNameCommitsNothing() {
        Holding holding = bench().contender(1).take();
        Holder namesake = new Holder(holding.term().node(), Bench.newIncarnation());
        Term stolen = new Term(holding.term().epoch(), namesake);

        Appended outcome = holding.contender().appendUntilDecided(stolen, holding.draft("not mine"));

        assertThat(outcome).isNotInstanceOf(Appended.Committed.class);
        assertThat(holding.contender().ledger()).isEmpty();
        holding.contender().resignUntilDone(stolen);
        holding.commit("undisturbed");
    }

    /** INV-3: the old holder writes as fast as it can while it is replaced; nothing that it was promised is lost. */
    @Test
    default void everythingAcknowledgedWhileTheSeatChangesHandsStays() throws Exception {
        Holding old = bench().contender(1).take();
        Contender successor = bench().contender(2);
        List<Entry> acknowledged = new ArrayList<>(old.commit(10));
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Entry>> writing = thread.submit(() -> commitUntilFenced(old));
            old.resign();
            Holding present = successor.take();
            present.commit(10);
            acknowledged.addAll(writing.get());

            List<Entry> ledger = successor.ledger();

            assertThat(ledger.subList(0, acknowledged.size())).isEqualTo(acknowledged);
            assertThat(ledger).hasSize(acknowledged.size() + 10);
        }
    }

    private static List<Entry> commitUntilFenced(Holding holding) {
        List<Entry> acknowledged = new ArrayList<>();
        while (true) {
            Entry entry = holding.draft("entry " + acknowledged.size());
            Appended outcome = holding.tryCommit(entry);
            if (outcome instanceof Appended.Fenced) {
                return acknowledged;
            }
            acknowledged.add(Answers.expect(Appended.Committed.class, outcome).entry());
        }
    }

    /** The new term's first append must not be what fences the old one: the promotion alone does. */
    @Test
    default void theOldTermIsFencedBeforeTheNewOneCommitsAnything() {
        Holding old = bench().contender(1).take();
        old.commit("one");
        Entry drafted = old.draft("two, drafted in time");
        old.resign();
        bench().contender(2).take();

        assertThat(old.contender().appendUntilDecided(old.term(), drafted)).isInstanceOf(Appended.Fenced.class);
    }
}
