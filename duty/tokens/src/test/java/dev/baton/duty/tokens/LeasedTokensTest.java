package dev.baton.duty.tokens;

import static dev.baton.duty.tokens.fixture.HandNode.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import dev.baton.duty.tokens.fixture.HandTenure;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeasedTokensTest {

    /** The lease times the clock-rate bound of the fixture. */
    private static final long WAIT_NANOS = HandNode.LEASE.toNanos() * 101 / 100;

    private static final TokenSettings SETTINGS =
            new TokenSettings(true, 1000, 100, 1000, 1000, 100, 64, 1000, Optional.empty());

    private final HandLedger ledger = new HandLedger();
    private final HandNode first = new HandNode("n1", ledger, SETTINGS);
    private final HandNode second = new HandNode("n2", ledger, SETTINGS);

    /** Leads, with a leased namespace that has tokens in memory. */
    private void serveFrom(HandNode node, Ending predecessorEnded) {
        node.leadAndOpen(predecessorEnded);
        node.created(spec("codes", Guarantee.LEASED));
        Told<Answer> told = node.ask("codes", 1);
        node.pulse();
        assertThat(told.answer()).isInstanceOf(Answer.Handed.class);
    }

    private static Answer.Handed atOnce(HandNode node, long count) {
        return (Answer.Handed) node.ask("codes", count).answer();
    }

    @Test
    void tokensThatWereCommittedAheadAreHandedOutWithoutAnEntry() {
        serveFrom(first, Ending.NONE);
        long height = ledger.head().height().value();
        for (int i = 2; i <= 40; i++) {
            assertThat(atOnce(first, 1).start()).isEqualTo(i);
        }
        assertThat(ledger.head().height().value()).isEqualTo(height);
        assertThat(first.duty.figures().handed()).containsEntry("codes", 40L);
    }

    @Test
    void aNewRangeIsCommittedBeforeTheOldOneIsEmpty() {
        serveFrom(first, Ending.NONE);
        int before = first.tenure().pulsesRequested.get();
        atOnce(first, 60);
        atOnce(first, 1);
        assertThat(first.tenure().pulsesRequested.get() - before).isEqualTo(1);
        long covered = first.duty.namespaces("codes").getFirst().reserved();
        first.pulse();
        assertThat(first.duty.namespaces("codes").getFirst().reserved()).isGreaterThan(covered);
        for (int i = 63; i < 163; i++) {
            assertThat(atOnce(first, 1).start()).isEqualTo(i);
        }
    }

    @Test
    void whoFindsTooFewWaitsAndIsServedInOrder() {
        serveFrom(first, Ending.NONE);
        Told<Answer> large = first.ask("codes", 500);
        assertThat(large.isTold()).isFalse();
        assertThat(atOnce(first, 50).start()).isEqualTo(2);
        first.pulse();
        assertThat(((Answer.Handed) large.answer()).start()).isEqualTo(52);
        assertThat(atOnce(first, 1).start()).isEqualTo(552);
    }

    @Test
    void rangesGrowWithUse() {
        serveFrom(first, Ending.NONE);
        for (int i = 0; i < 20; i++) {
            first.ask("codes", 900);
            first.pulse();
        }
        long before = first.duty.namespaces("codes").getFirst().reserved();
        first.ask("codes", 1000);
        long wanted = 1000;
        while (first.duty.namespaces("codes").getFirst().reserved() == before) {
            first.ask("codes", 1000);
            wanted += 1000;
            first.pulse();
        }
        assertThat(first.duty.namespaces("codes").getFirst().reserved() - before)
                .isGreaterThan(10 * SETTINGS.leasedAhead())
                .isLessThan(wanted + 200 * SETTINGS.leasedAhead());
    }

    @Test
    void theCeilingEndsALeasedNamespaceToo() {
        first.leadAndOpen(Ending.NONE);
        first.created(new NamespaceSpec(
                "codes",
                Guarantee.LEASED,
                OptionalLong.of(Long.MAX_VALUE - 10),
                OptionalLong.empty(),
                OptionalLong.of(Long.MAX_VALUE - 1),
                OptionalLong.empty(),
                OptionalInt.empty()));
        Told<Answer> told = first.ask("codes", 6);
        first.pulse();
        assertThat(((Answer.Handed) told.answer()).start()).isEqualTo(Long.MAX_VALUE - 10);
        int before = first.tenure().pulsesRequested.get();
        assertThat(atOnce(first, 4).end()).isEqualTo(Long.MAX_VALUE);
        assertThat(first.tenure().pulsesRequested)
                .describedAs("nothing is left to commit")
                .hasValue(before);
        Told<Answer> none = first.ask("codes", 1);
        first.pulse();
        assertThat(none.answer())
                .isInstanceOfSatisfying(
                        Answer.Refused.class, no -> assertThat(no.reason()).isEqualTo(Refusal.EXHAUSTED));
    }

    @Test
    void aFrozenNamespaceHandsOutNothingFromMemoryEither() {
        serveFrom(first, Ending.NONE);
        first.frozen("codes", true);
        Told<Answer> refused = first.ask("codes", 1);
        first.pulse();
        assertThat(refused.answer())
                .isInstanceOfSatisfying(
                        Answer.Refused.class, no -> assertThat(no.reason()).isEqualTo(Refusal.FROZEN));
        first.frozen("codes", false);
        assertThat(atOnce(first, 1).start()).isEqualTo(2);
    }

    @Test
    void aRetryWithinTheTermGetsTheSameTokens() {
        serveFrom(first, Ending.NONE);
        Answer.Handed once = (Answer.Handed) first.ask("codes", 2, "c", 1).answer();
        Answer.Handed again = (Answer.Handed) first.ask("codes", 2, "c", 1).answer();
        assertThat(again.start()).isEqualTo(once.start());
        assertThat(again.duplicate()).isTrue();
        assertThat(first.ask("codes", 3, "c", 1).answer())
                .isInstanceOfSatisfying(
                        Answer.Refused.class, no -> assertThat(no.reason()).isEqualTo(Refusal.FOREIGN_ID));
    }

    // INV-15: the change of terms

    @Test
    void afterALapseTheSuccessorWaitsOutTheLeaseAndNoLonger() {
        serveFrom(first, Ending.NONE);
        Answer.Handed served = atOnce(first, 1);
        second.leadAndOpen(Ending.LAPSED);
        Told<Answer> waits = second.ask("codes", 1);
        second.pulse();
        ledger.nanos.addAndGet(WAIT_NANOS - 1);
        second.pulse();
        assertThat(waits.isTold()).isFalse();
        assertThat(second.handed("strict", 1).revision())
                .describedAs("strict requests are served meanwhile, at the old revision")
                .isEqualTo(served.revision());
        ledger.nanos.addAndGet(1);
        second.pulse();
        Answer.Handed after = (Answer.Handed) waits.answer();
        assertThat(after.start()).isGreaterThan(served.end() - 1);
        assertThat(after.revision()).isGreaterThan(served.revision());
        assertThat(second.handed("strict", 1).revision()).isEqualTo(after.revision());
    }

    @Test
    void aPredecessorThatResignedOrHandedOverIsNotWaitedFor() {
        serveFrom(first, Ending.NONE);
        first.stepDown("leaving");
        second.leadAndOpen(Ending.RESIGNED);
        Told<Answer> told = second.ask("codes", 1);
        second.pulse();
        assertThat(told.isTold()).isTrue();
        second.tenure().quiet = true;
        HandNode third = new HandNode("n3", ledger, SETTINGS);
        ledger.skipEpochs(5); // a ticket is good for its own term only, whatever the numbers
        third.leadAndOpen(Ending.HANDED_OFF);
        Told<Answer> next = third.ask("codes", 1);
        third.pulse();
        assertThat(next.isTold()).isTrue();
    }

    @Test
    void aResignationThatMayBeAnotherTermsIsWaitedFor() {
        serveFrom(first, Ending.NONE);
        ledger.skipEpochs(1); // elected and resigned without an entry, while the first was only paused
        second.leadAndOpen(Ending.RESIGNED);
        Told<Answer> waits = second.ask("codes", 1);
        second.pulse();
        second.pulse();
        assertThat(waits.isTold()).isFalse();
        assertThat(atOnce(first, 1)).isNotNull();
    }

    @Test
    void aTermThatOnlyWaitedItselfDoesNotVouchForTheOneBefore() {
        serveFrom(first, Ending.NONE);
        second.leadAndOpen(Ending.LAPSED);
        second.stepDown("leaving");
        HandNode third = new HandNode("n3", ledger, SETTINGS);
        third.leadAndOpen(Ending.RESIGNED);
        Told<Answer> waits = third.ask("codes", 1);
        third.pulse();
        third.pulse();
        assertThat(waits.isTold()).isFalse();
        ledger.nanos.addAndGet(WAIT_NANOS);
        third.pulse();
        assertThat(waits.isTold()).isTrue();
    }

    @Test
    void whereNobodyLeasedAnythingNobodyWaits() {
        first.leadAndOpen(Ending.NONE);
        Answer.Handed strict = first.handed("orders", 1);
        second.leadAndOpen(Ending.LAPSED);
        second.created(spec("codes", Guarantee.LEASED));
        Told<Answer> told = second.ask("codes", 1);
        second.pulse();
        assertThat(((Answer.Handed) told.answer()).revision()).isGreaterThan(strict.revision());
    }

    @Test
    void aPausedPredecessorNeverHandsOutAfterItsTimeEvenInTheMiddleOfAnAnswer() {
        serveFrom(first, Ending.NONE);
        HandTenure paused = first.tenure();
        AtomicInteger checks = new AtomicInteger();
        paused.atCheck = () -> {
            if (checks.incrementAndGet() == 2) { // between taking the tokens and handing them out
                paused.holds = false;
            }
        };
        Told<Answer> told = first.ask("codes", 1);
        assertThat(told.isTold()).isFalse();
        first.stepDown("the lease ran out");
        assertThat(told.answer()).isInstanceOf(Answer.NotHolder.class);
    }

    @Test
    void evenIfTheClockBoundIsBrokenNoTokenIsHandedOutTwice() {
        serveFrom(first, Ending.NONE);
        second.leadAndOpen(Ending.LAPSED);
        ledger.nanos.addAndGet(WAIT_NANOS); // the first one's clock stands still: it believes it holds
        Told<Answer> told = second.ask("codes", 1);
        second.pulse();
        Set<Long> seen = new HashSet<>();
        seen.add(((Answer.Handed) told.answer()).start());
        for (int i = 0; i < 40; i++) {
            assertThat(seen.add(atOnce(first, 1).start())).isTrue();
            assertThat(seen.add(atOnce(second, 1).start())).isTrue();
        }
    }

    @Test
    void aHolderWithATicketOutHandsNothingOutUntilTheHandoffIsAborted() {
        serveFrom(first, Ending.NONE);
        first.tenure().quiet = true;
        Told<Answer> waits = first.ask("codes", 1);
        assertThat(waits.isTold()).isFalse();
        first.tenure().quiet = false;
        first.pulse();
        assertThat(((Answer.Handed) waits.answer()).start()).isEqualTo(2);
    }

    @Test
    void historyShowsWhatMayNeverHaveBeenHandedOut() {
        serveFrom(first, Ending.NONE);
        atOnce(first, 80);
        first.pulse(); // a second range; the first was used up to 81
        first.stepDown("leaving");
        second.leadAndOpen(Ending.RESIGNED);
        Told<Answer> told = second.ask("codes", 1);
        second.pulse();
        NamespaceHistory history = second.duty.history("codes").orElseThrow();
        assertThat(history.stretches()).hasSize(2);
        Stretch old = history.stretches().getFirst();
        assertThat(old.first()).isEqualTo(1);
        assertThat(old.gapFrom()).isEqualTo(82);
        assertThat(old.end()).isEqualTo(((Answer.Handed) told.answer()).start());
    }

    @Test
    void aRangeThatIsDraftedTwiceIsCommittedOnce() {
        serveFrom(first, Ending.NONE);
        atOnce(first, 60);
        long covered = first.duty.namespaces("codes").getFirst().reserved();
        Entry lost = first.propose();
        Entry again = first.propose();
        assertThat(again.payload()).isEqualTo(lost.payload());
        ledger.commit(again);
        first.release(again);
        assertThat(first.duty.namespaces("codes").getFirst().reserved()).isGreaterThan(covered);
        assertThat(atOnce(first, 1).start()).isEqualTo(62);
    }

    @Test
    void manyThreadsNeverGetTheSameTokenAndEachSeesThemGrow() throws Exception {
        serveFrom(first, Ending.NONE);
        int threads = 4;
        int each = 5_000;
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger disordered = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread.ofPlatform().start(() -> {
                long last = 0;
                for (int i = 0; i < each; i++) {
                    CompletableFuture<Answer> answer = new CompletableFuture<>();
                    first.duty.next(new Ask("codes", 1, Optional.empty(), false), answer::complete);
                    Answer.Handed handed = (Answer.Handed) answer.join();
                    if (handed.start() <= last || !seen.add(handed.start())) {
                        disordered.incrementAndGet();
                    }
                    last = handed.start();
                }
                done.countDown();
            });
        }
        while (!done.await(1, TimeUnit.MILLISECONDS)) {
            first.pulse(); // whoever found nothing waits for this
        }
        assertThat(disordered).hasValue(0);
        assertThat(seen).hasSize(threads * each);
    }

    /**
     * A client numbers all its requests in one row. What it asked of strict namespaces is in the window, and falls out of it;
     * what it asks of leased ones never enters it, so a mark says nothing about them.
     */
    @Test
    void aRequestToALeasedNamespaceIsNotMeasuredByTheWindowOfStrictOnes() {
        HandNode small =
                new HandNode("n1", ledger, new TokenSettings(true, 1000, 10, 100, 100, 100, 2, 1000, Optional.empty()));
        small.leadAndOpen(Ending.NONE);
        small.created(spec("click", Guarantee.LEASED));
        for (int sequence = 2; sequence <= 9; sequence++) {
            small.ask("orders", 1, "c", sequence);
            small.pulse();
        }

        Told<Answer> never = small.ask("click", 1, "c", 1); // long on its way; nothing is committed ahead yet
        Told<Answer> same = small.ask("click", 1, "c", 9); // still in the window, for another namespace
        small.pulse();

        assertThat(never.answer())
                .isInstanceOfSatisfying(
                        Answer.Handed.class,
                        handed -> assertThat(handed.start()).isEqualTo(1));
        assertThat(same.answer())
                .isInstanceOfSatisfying(
                        Answer.Handed.class,
                        handed -> assertThat(handed.start()).isEqualTo(2));
        assertThat(small.ask("click", 1, "c", 1).answer())
                .isInstanceOfSatisfying(
                        Answer.Handed.class,
                        handed -> assertThat(handed.duplicate()).isTrue());
        assertThat(small.ask("click", 1, "c", 3).answer()).isInstanceOf(Answer.Handed.class);
        Told<Answer> old = small.ask("orders", 1, "c", 3);
        small.pulse();
        assertThat(old.answer())
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.FORGOTTEN));
    }
}
