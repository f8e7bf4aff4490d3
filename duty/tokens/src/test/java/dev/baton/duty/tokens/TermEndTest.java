package dev.baton.duty.tokens;

import static dev.baton.duty.tokens.fixture.HandNode.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.duty.TermOverException;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import dev.baton.duty.tokens.fixture.HandTenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TermEndTest {

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, TokenSettings.DEFAULT);

    @Test
    void whoIsInTheEntryUnderWayDoesNotKnowAndWhoOnlyWaitedDoes() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> under = node.ask("orders", 1);
        Told<Changed> made = node.create(spec("codes", Guarantee.STRICT));
        node.propose();
        Told<Answer> waits = node.ask("orders", 1);
        Told<Changed> late = node.create(spec("more", Guarantee.STRICT));
        node.stepDown("replaced");
        assertThat(under.answer()).isEqualTo(new Answer.Unknown("replaced", Optional.empty()));
        assertThat(made.answer()).isEqualTo(new Changed.Unknown("replaced", Optional.empty()));
        assertThat(waits.answer()).isEqualTo(new Answer.NotHolder(Optional.empty()));
        assertThat(late.answer()).isEqualTo(new Changed.NotHolder(Optional.empty()));
        assertThat(node.ask("orders", 1).answer()).isInstanceOf(Answer.NotHolder.class);
    }

    @Test
    void whoDoesNotKnowAsksTheNextHolderAndGetsTheTokensThatWereCommitted() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> unknown = node.ask("orders", 2, "c", 1);
        Entry entry = node.propose();
        ledger.commit(entry);
        node.stepDown("replaced");
        assertThat(unknown.answer()).isInstanceOf(Answer.Unknown.class);

        HandNode next = new HandNode("n2", ledger, TokenSettings.DEFAULT);
        next.leadAndOpen(Ending.LAPSED);
        Told<Answer> again = next.ask("orders", 2, "c", 1);
        Told<Answer> other = next.ask("orders", 1);
        next.pulse();
        assertThat(again.answer()).isInstanceOfSatisfying(Answer.Handed.class, handed -> {
            assertThat(handed.start()).isEqualTo(1);
            assertThat(handed.height()).isEqualTo(entry.height());
        });
        assertThat(((Answer.Handed) other.answer()).start()).isEqualTo(3);
    }

    @Test
    void aTermThatIsOverDraftsNothingAndAnEntryOfItIsStillTakenIn() {
        HandTenure tenure = node.leadAndOpen(Ending.NONE);
        node.ask("orders", 1);
        Entry entry = node.propose();
        ledger.commit(entry);
        node.stepDown("replaced");
        assertThatThrownBy(() -> node.duty.draft(tenure)).isInstanceOf(TermOverException.class);
        assertThatThrownBy(() -> node.duty.assume(tenure)).isInstanceOf(RuntimeException.class);
        node.follow();
        assertThat(node.duty.applied()).isEqualTo(entry.height());
    }

    @Test
    void thoseWhoWantToKnowAreToldOfTheEndOnce() {
        Told<String> atOnce = new Told<>();
        node.duty.whenTermEnds(atOnce);
        assertThat(atOnce.answer()).contains("does not hold");
        node.leadAndOpen(Ending.NONE);
        Told<String> later = new Told<>();
        node.duty.whenTermEnds(later);
        assertThat(later.isTold()).isFalse();
        node.stepDown("the lease ran out");
        assertThat(later.answer()).isEqualTo("the lease ran out");
    }

    @RepeatedTest(20)
    void whenTheTermEndsAmidArrivalsDraftsAndReleasesEachIsToldExactlyOnce() throws Exception {
        node.leadAndOpen(Ending.NONE);
        int callers = 3;
        int each = 300;
        List<AtomicInteger> told = new ArrayList<>();
        for (int i = 0; i < callers * each; i++) {
            told.add(new AtomicInteger());
        }
        CountDownLatch begun = new CountDownLatch(callers);
        List<Thread> threads = new ArrayList<>();
        for (int c = 0; c < callers; c++) {
            int from = c * each;
            threads.add(Thread.ofPlatform().start(() -> {
                begun.countDown();
                for (int i = from; i < from + each; i++) {
                    AtomicInteger count = told.get(i);
                    node.duty.next(new Ask("orders", 1, Optional.empty(), false), answer -> count.incrementAndGet());
                }
            }));
        }
        HandTenure tenure = node.tenure();
        Thread ending = Thread.ofPlatform().start(() -> {
            try {
                begun.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            tenure.holds = false;
            node.duty.relinquish(tenure, "test");
        });
        try {
            while (true) {
                node.pulse();
            }
        } catch (TermOverException e) {
            // as it must be
        }
        ending.join();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(told).allSatisfy(count -> assertThat(count).hasValue(1));
    }
}
