package dev.baton.duty.tokens;

import static dev.baton.duty.tokens.fixture.HandNode.sharded;
import static dev.baton.duty.tokens.fixture.HandNode.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Era;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.tokens.TokenSettings.Region;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import dev.baton.duty.tokens.fixture.HandNode.Told;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictTokensTest {

    private static final long MAX = Long.MAX_VALUE;

    private final HandLedger ledger = new HandLedger();
    private final HandNode node = new HandNode("n1", ledger, TokenSettings.DEFAULT);

    private static TokenSettings settings(boolean onFirstUse, int maxNamespaces, int maxWaiting, int maxBatch) {
        return new TokenSettings(onFirstUse, 1000, maxNamespaces, maxWaiting, maxBatch, 100, 8, 1000, Optional.empty());
    }

    private static void assertRefused(Answer answer, Refusal reason, String... words) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(reason);
            assertThat(words).allSatisfy(word -> assertThat(refused.message()).contains(word));
        });
    }

    private static void assertRefused(Changed changed, Refusal reason, String... words) {
        assertThat(changed).isInstanceOfSatisfying(Changed.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(reason);
            assertThat(words).allSatisfy(word -> assertThat(refused.message()).contains(word));
        });
    }

    @Test
    void tokensBeginAtOneAndFollowEachOther() {
        node.leadAndOpen(Ending.NONE);
        assertThat(node.handed("orders", 3))
                .extracting(Answer.Handed::start, Answer.Handed::end, Answer.Handed::step)
                .containsExactly(1L, 4L, 1L);
        assertThat(node.handed("orders", 1).start()).isEqualTo(4);
        assertThat(node.handed("invoices", 1).start()).isEqualTo(1);
    }

    @Test
    void nothingIsToldBeforeTheEntryIsReleased() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> told = node.ask("orders", 1);
        Entry entry = node.propose();
        ledger.commit(entry);
        assertThat(told.isTold()).isFalse();
        node.release(entry);
        assertThat(told.answer()).isInstanceOfSatisfying(Answer.Handed.class, handed -> {
            assertThat(handed.height()).isEqualTo(entry.height());
            assertThat(handed.epoch()).isEqualTo(entry.author());
        });
    }

    @Test
    void oneEntryCoversAllThatWaitAndAsksForOnePulse() {
        node.leadAndOpen(Ending.NONE);
        int before = node.tenure().pulsesRequested.get();
        List<Told<Answer>> told = IntStream.range(0, 500)
                .mapToObj(i -> node.ask("ns-" + i % 7, 1 + i % 3))
                .toList();
        assertThat(node.tenure().pulsesRequested.get() - before).isEqualTo(1);
        Entry entry = node.pulse();
        assertThat(told)
                .allSatisfy(each ->
                        assertThat(((Answer.Handed) each.answer()).height()).isEqualTo(entry.height()));
        assertThat(node.duty.figures().commits()).isEqualTo(1);
        assertThat(node.duty.figures().waiting()).isZero();
    }

    /** The ledger, its engine and every follower would pay for each of them, and nobody asks for one of them again. */
    @Test
    void requestsWithoutAnIdTakeNoRoomOfTheirOwn() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> first = node.ask("orders", 1);
        int alone = node.propose().payload().size();
        List<Told<Answer>> told =
                IntStream.range(0, 999).mapToObj(i -> node.ask("orders", 1)).toList();
        Told<Answer> named = node.ask("orders", 1, "c", 1);
        Told<Answer> last = node.ask("orders", 1);

        Entry entry = node.pulse();

        assertThat(entry.payload().size()).isLessThan(alone + 12);
        assertThat(((Answer.Handed) first.answer()).start()).isEqualTo(1);
        for (int i = 0; i < told.size(); i++) {
            assertThat(((Answer.Handed) told.get(i).answer()).start()).isEqualTo(2 + i);
        }
        assertThat(((Answer.Handed) named.answer()).start()).isEqualTo(1001);
        assertThat(((Answer.Handed) last.answer()).start()).isEqualTo(1002);
        HandNode follower = new HandNode("n2", ledger, TokenSettings.DEFAULT).follow();
        assertThat(follower.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }

    /** No reservation is larger than what a single request may ask for: whoever reads the ledger holds it to that. */
    @Test
    void requestsWithoutAnIdAreNotTakenTogetherBeyondWhatOneMayAskFor() {
        node.leadAndOpen(Ending.NONE);
        long most = TokenSettings.DEFAULT.maxCount();
        List<Told<Answer>> told = IntStream.range(0, 3)
                .mapToObj(i -> node.ask("orders", most / 2 + 1))
                .toList();

        node.pulse();

        assertThat(((Answer.Handed) told.get(2).answer()).start()).isEqualTo(2 * (most / 2 + 1) + 1);
        HandNode follower = new HandNode("n2", ledger, TokenSettings.DEFAULT).follow();
        assertThat(follower.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }

    @Test
    void whatDoesNotFitIntoOneEntryAsksForTheNext() {
        HandNode small = new HandNode("n1", ledger, settings(true, 10, 100, 2));
        small.leadAndOpen(Ending.NONE);
        List<Told<Answer>> told = List.of(small.ask("a", 1), small.ask("a", 1), small.ask("a", 1));
        int before = small.tenure().pulsesRequested.get();
        small.pulse();
        assertThat(told.get(1).isTold()).isTrue();
        assertThat(told.get(2).isTold()).isFalse();
        assertThat(small.tenure().pulsesRequested.get()).isGreaterThan(before);
        small.pulse();
        assertThat(((Answer.Handed) told.get(2).answer()).start()).isEqualTo(3);
    }

    @Test
    void aDraftThatIsNotCommittedLeavesNoTraceAndItsRequestsAreDraftedAgain() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> first = node.ask("orders", 5);
        Bytes once = node.propose().payload();
        assertThat(node.propose().payload()).isEqualTo(once);
        Told<Answer> second = node.ask("orders", 2);
        node.pulse();
        assertThat(((Answer.Handed) first.answer()).start()).isEqualTo(1);
        assertThat(((Answer.Handed) second.answer()).start()).isEqualTo(6);
        assertThat(node.handed("orders", 1).start()).isEqualTo(8);
    }

    @Test
    void releasingTheSameEntryAgainTellsNobodyTwice() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> told = node.ask("orders", 1);
        Entry entry = node.pulse();
        node.release(entry);
        assertThat(told.isTold()).isTrue();
        assertThat(node.handed("orders", 1).start()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1_000_001, Long.MAX_VALUE})
    void aCountThatCanNeverBeRightIsRefused(long count) {
        node.leadAndOpen(Ending.NONE);
        assertRefused(node.answer("orders", count), Refusal.INVALID, Long.toString(count), "expected");
        assertThat(node.handed("orders", 1).start()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "a/",
                "/a",
                "a//b",
                "a/b/c/d/e",
                "A",
                "-a",
                "a/.b",
                "a b",
                "ä",
                "a\n",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void aNameOutsideOfTheGrammarIsRefusedByEveryNode(String name) {
        assertRefused(node.ask(name, 1).answer(), Refusal.INVALID, "namespace", "expected");
        node.leadAndOpen(Ending.NONE);
        assertRefused(node.ask(name, 1).answer(), Refusal.INVALID, "namespace", "expected");
        assertRefused(node.created(spec(name, Guarantee.STRICT)), Refusal.INVALID, "namespace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a/b/c/d", "a.b_c-d/9.-_"})
    void aNameWithinTheGrammarIsServed(String name) {
        node.leadAndOpen(Ending.NONE);
        assertThat(node.handed(name, 1).start()).isEqualTo(1);
    }

    @Test
    void anIdOutsideOfTheGrammarIsRefused() {
        node.leadAndOpen(Ending.NONE);
        assertRefused(node.ask("orders", 1, "a b", 1).answer(), Refusal.INVALID, "client");
        assertRefused(node.ask("orders", 1, "", 1).answer(), Refusal.INVALID, "client");
        assertRefused(node.ask("orders", 1, "x".repeat(65), 1).answer(), Refusal.INVALID, "client");
        assertRefused(node.ask("orders", 1, "c", 0).answer(), Refusal.INVALID, "sequence");
    }

    @Test
    void namespacesAreMadeOnFirstUseOnlyIfThatIsAllowed() {
        HandNode careful = new HandNode("n1", ledger, settings(false, 10, 100, 100));
        careful.leadAndOpen(Ending.NONE);
        assertRefused(careful.answer("orders", 1), Refusal.NO_NAMESPACE, "orders");
        assertThat(careful.created(spec("orders", Guarantee.STRICT))).isInstanceOf(Changed.Done.class);
        assertThat(careful.handed("orders", 1).start()).isEqualTo(1);
    }

    @Test
    void aRefusedRequestMakesNoNamespace() {
        node.leadAndOpen(Ending.NONE);
        assertRefused(node.answer("orders", 2_000_000), Refusal.INVALID);
        assertThat(node.duty.namespaces("")).isEmpty();
    }

    /** Not only a count that is too large: whatever a namespace that is not there yet would refuse. */
    @Test
    void aRequestThatANewNamespaceWouldRefuseLeavesNoTrace() {
        HandNode other = new HandNode("n1", ledger, TokenSettings.DEFAULT.withRegion(new Region(1, 2)));
        other.leadAndOpen(Ending.NONE);
        assertRefused(other.answer("orders", 2), Refusal.STEPPED);
        assertThat(other.duty.namespaces("")).isEmpty();

        HandLedger elsewhere = new HandLedger();
        HandNode generous = new HandNode(
                "n1", elsewhere, new TokenSettings(true, MAX, 10, 100, 100, 100, 8, 1000, Optional.empty()));
        generous.leadAndOpen(Ending.NONE);
        assertRefused(generous.answer("orders", MAX), Refusal.EXHAUSTED);
        assertThat(generous.duty.namespaces("")).isEmpty();
    }

    /** What was handed out in an era before, nobody here knows. */
    @Test
    void inALaterEraANamespaceBeginsWhereSomebodySaysAndNeverAtOneByItself() {
        SeatId seat = new SeatId(HandLedger.SEAT.cluster(), HandLedger.SEAT.seat(), new Era(2));
        HandNode later = new HandNode("n1", ledger, TokenSettings.DEFAULT, seat);
        later.leadAndOpen(Ending.NONE);
        assertRefused(later.answer("orders", 1), Refusal.NO_NAMESPACE, "start", "era 2");
        assertRefused(later.created(spec("orders", Guarantee.STRICT)), Refusal.INVALID, "start", "era 2");
        assertRefused(later.created(sharded("orders", 2)), Refusal.INVALID, "start", "era 2");
        assertThat(later.duty.namespaces("")).isEmpty();

        assertThat(later.created(spec("orders", 1001, 1, MAX - 1))).isInstanceOf(Changed.Done.class);

        assertThat(later.handed("orders", 1).start()).isEqualTo(1001);
        assertThat(later.created(spec("orders", Guarantee.STRICT))).isInstanceOf(Changed.Done.class); // it is there
    }

    @Test
    void thereAreNoMoreNamespacesThanAllowed() {
        HandNode small = new HandNode("n1", ledger, settings(true, 2, 100, 100));
        small.leadAndOpen(Ending.NONE);
        small.handed("a", 1);
        assertRefused(small.created(sharded("v", 2)), Refusal.TOO_MANY_NAMESPACES);
        small.handed("b", 1);
        assertRefused(small.answer("c", 1), Refusal.TOO_MANY_NAMESPACES, "c");
        assertThat(small.handed("a", 1).start()).isEqualTo(2);
    }

    @Test
    void creatingTheSameAgainIsFineAndAnotherOneIsNot() {
        node.leadAndOpen(Ending.NONE);
        assertThat(node.created(spec("orders", 5, 2, 99))).isInstanceOf(Changed.Done.class);
        assertThat(node.created(spec("orders", 5, 2, 99))).isInstanceOf(Changed.Done.class);
        assertThat(node.created(spec("orders", Guarantee.STRICT))).isInstanceOf(Changed.Done.class);
        assertRefused(node.created(spec("orders", 6, 2, 99)), Refusal.EXISTS);
        assertRefused(node.created(spec("orders", Guarantee.LEASED)), Refusal.EXISTS);
        assertRefused(node.created(sharded("orders", 2)), Refusal.EXISTS);
    }

    @Test
    void severalTokensOfASteppedNamespaceNeedConsent() {
        node.leadAndOpen(Ending.NONE);
        node.created(spec("odd", 1, 2, 1000));
        assertThat(node.handed("odd", 1))
                .extracting(Answer.Handed::start, Answer.Handed::end, Answer.Handed::step)
                .containsExactly(1L, 2L, 2L);
        assertRefused(node.answer("odd", 2), Refusal.STEPPED);
        Told<Answer> told = node.ask(new Ask("odd", 3, Optional.empty(), true));
        node.pulse();
        assertThat((Answer.Handed) told.answer())
                .extracting(Answer.Handed::start, Answer.Handed::end, Answer.Handed::step)
                .containsExactly(3L, 8L, 2L);
    }

    @Test
    void theCeilingIsReachedExactlyAndNothingIsReservedBeyondIt() {
        node.leadAndOpen(Ending.NONE);
        node.created(spec("few", 1, 1, 10));
        assertThat(node.handed("few", 8).end()).isEqualTo(9);
        assertRefused(node.answer("few", 3), Refusal.EXHAUSTED, "3", "2 or less");
        assertThat(node.handed("few", 2).end()).isEqualTo(11);
        assertRefused(node.answer("few", 1), Refusal.EXHAUSTED);
        assertThat(node.duty.namespaces("few").getFirst().next()).isEmpty();
    }

    @Test
    void theLargestNumbersThereAreDoNotOverflow() {
        node.leadAndOpen(Ending.NONE);
        assertRefused(node.created(spec("top", 1, 1, MAX)), Refusal.INVALID, "ceiling");
        assertRefused(node.created(spec("top", MAX, 1, MAX - 1)), Refusal.INVALID, "ceiling");
        node.created(spec("top", MAX - 3, 1, MAX - 1));
        assertRefused(node.answer("top", MAX), Refusal.EXHAUSTED);
        assertThat(node.handed("top", 3).end()).isEqualTo(MAX);
        assertRefused(node.answer("top", 1), Refusal.EXHAUSTED);

        node.created(spec("leaps", 1, MAX - 2, MAX - 1));
        assertThat(node.handed("leaps", 1).start()).isEqualTo(1);
        assertThat(node.handed("leaps", 1).start()).isEqualTo(MAX - 1);
        assertRefused(node.answer("leaps", 1), Refusal.EXHAUSTED);

        node.created(spec("whole", 1, 1, MAX - 1));
        assertThat(node.handed("whole", MAX - 1).end()).isEqualTo(MAX);
        assertRefused(node.answer("whole", 1), Refusal.EXHAUSTED);
        assertRebuiltAlike();
    }

    @Test
    void shardsInterleaveAndTheNameItselfStandsForThem() {
        node.leadAndOpen(Ending.NONE);
        assertThat(node.created(sharded("voucher", 3)))
                .isInstanceOfSatisfying(
                        Changed.Done.class,
                        done -> assertThat(done.namespaces())
                                .extracting(NamespaceView::name, NamespaceView::start, NamespaceView::step)
                                .containsExactly(
                                        tuple("voucher/0", 1L, 3L),
                                        tuple("voucher/1", 2L, 3L),
                                        tuple("voucher/2", 3L, 3L)));
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            assertThat(seen.add(node.handed("voucher/" + i % 3, 1).start())).isTrue();
        }
        assertRefused(node.answer("voucher", 1), Refusal.SHARDED, "voucher/0", "voucher/2");
        assertRefused(node.answer("voucher/3", 1), Refusal.NO_NAMESPACE, "voucher/2");
        assertRefused(node.created(spec("voucher/7", Guarantee.STRICT)), Refusal.INVALID, "voucher/2");
        assertThat(node.created(sharded("voucher", 3))).isInstanceOf(Changed.Done.class);
        assertRefused(node.created(sharded("voucher", 4)), Refusal.EXISTS);
        assertThat(node.frozen("voucher", true)).isInstanceOf(Changed.Done.class);
        assertRefused(node.answer("voucher/1", 1), Refusal.FROZEN);
    }

    @Test
    void shardsAreNotMadeWhereNamespacesLieAlready() {
        node.leadAndOpen(Ending.NONE);
        node.handed("voucher/9", 1);
        assertRefused(node.created(sharded("voucher", 3)), Refusal.EXISTS, "voucher/");
        assertRefused(node.created(sharded("other", 0)), Refusal.INVALID, "shards");
        assertRefused(node.created(sharded("other", 1025)), Refusal.INVALID, "shards");
    }

    @Test
    void twoRegionsNeverHandOutTheSameToken() {
        Set<Long> seen = new HashSet<>();
        for (int region = 0; region < 3; region++) {
            HandNode there =
                    new HandNode("n1", new HandLedger(), TokenSettings.DEFAULT.withRegion(new Region(region, 3)));
            there.leadAndOpen(Ending.NONE);
            there.created(sharded("shared", 2));
            for (int i = 0; i < 20; i++) {
                assertThat(seen.add(there.handed("plain", 1).start())).isTrue();
            }
            assertThat(there.handed("shared/0", 1))
                    .extracting(Answer.Handed::start, Answer.Handed::step)
                    .containsExactly(1L + region, 6L);
            assertRefused(there.created(spec("bad", 2 + region, 3, 100)), Refusal.INVALID, "start");
            assertRefused(there.created(spec("bad", 1 + region, 4, 100)), Refusal.INVALID, "step");
        }
    }

    @Test
    void aNodeOfAnotherRegionIsNotReadyAndSaysWhy() {
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 1);
        HandNode stranger = new HandNode("n2", ledger, TokenSettings.DEFAULT.withRegion(new Region(1, 2)));
        stranger.follow();
        assertThat(stranger.duty.readiness())
                .isInstanceOfSatisfying(
                        Readiness.NotReady.class, not -> assertThat(not.why()).contains("1 of 2", "0 of 1"));
    }

    @Test
    void aFrozenNamespaceHandsOutNothingUntilItIsUnfrozen() {
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 1);
        assertThat(node.frozen("orders", true)).isInstanceOf(Changed.Done.class);
        assertRefused(node.answer("orders", 1), Refusal.FROZEN, "orders");
        assertThat(node.frozen("orders", false)).isInstanceOf(Changed.Done.class);
        assertThat(node.handed("orders", 1).start()).isEqualTo(2);
        assertRefused(node.frozen("nowhere", true), Refusal.NO_NAMESPACE, "nowhere");
    }

    // INV-14

    @Test
    void aRetryGetsTheSameTokensOverTermsAndEvenIfFrozen() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> first = node.ask("orders", 3, "c", 1);
        Told<Answer> sameBatch = node.ask("orders", 3, "c", 1);
        node.propose();
        Told<Answer> underWay = node.ask("orders", 3, "c", 1);
        node.pulse();
        Answer.Handed original = (Answer.Handed) first.answer();
        assertThat(original.duplicate()).isFalse();
        assertThat(sameBatch.answer()).isEqualTo(duplicate(original, original.revision()));
        assertThat(underWay.answer()).isEqualTo(duplicate(original, original.revision()));
        node.frozen("orders", true);
        node.stepDown("test");

        HandNode next = new HandNode("n2", ledger, TokenSettings.DEFAULT);
        next.leadAndOpen(Ending.LAPSED);
        Told<Answer> later = next.ask("orders", 3, "c", 1);
        next.pulse();
        assertThat(later.answer()).isEqualTo(duplicate(original, original.revision() + 1));
        assertThat(next.duty.figures().duplicates()).isEqualTo(1);
    }

    private static Answer.Handed duplicate(Answer.Handed of, long revision) {
        return new Answer.Handed(
                of.namespace(), of.start(), of.end(), of.step(), revision, of.epoch(), of.height(), true);
    }

    @Test
    void anIdThatWasUsedForSomethingElseIsForeign() {
        node.leadAndOpen(Ending.NONE);
        Told<Answer> first = node.ask("orders", 3, "c", 1);
        Told<Answer> otherCount = node.ask("orders", 2, "c", 1);
        node.pulse();
        assertThat(first.answer()).isInstanceOf(Answer.Handed.class);
        assertRefused(otherCount.answer(), Refusal.FOREIGN_ID);
        Told<Answer> otherPlace = node.ask("invoices", 3, "c", 1);
        node.pulse();
        assertRefused(otherPlace.answer(), Refusal.FOREIGN_ID);
    }

    @Test
    void whatFellOutOfTheWindowIsForgottenAndNotServedAgain() {
        HandNode small = new HandNode("n1", ledger, settings(true, 10, 100, 100));
        small.leadAndOpen(Ending.NONE);
        for (int i = 1; i <= 9; i++) { // the window has 8 places
            small.ask("orders", 1, "c", i);
            small.pulse();
        }
        Told<Answer> gone = small.ask("orders", 1, "c", 1);
        Told<Answer> there = small.ask("orders", 1, "c", 2);
        Told<Answer> other = small.ask("orders", 1, "d", 1);
        small.pulse();
        assertRefused(gone.answer(), Refusal.FORGOTTEN, "more than 1");
        assertThat(((Answer.Handed) there.answer()).start()).isEqualTo(2);
        assertThat(((Answer.Handed) other.answer()).start()).isEqualTo(10);
    }

    @Test
    void theHighestNumberThatFellOutCountsInWhateverOrderTheyFell() {
        HandNode small = new HandNode("n1", ledger, settings(true, 10, 100, 100));
        small.leadAndOpen(Ending.NONE);
        small.ask("orders", 1, "c", 10);
        small.ask("orders", 1, "c", 2);
        small.pulse();
        for (int i = 1; i <= 8; i++) { // one after the other, so that 2 falls out after 10 did
            small.ask("orders", 1, "d", i);
            small.pulse();
        }
        Told<Answer> old = small.ask("orders", 1, "c", 5);
        small.pulse();
        assertRefused(old.answer(), Refusal.FORGOTTEN, "more than 10");
    }

    @Test
    void aRefusalIsNotRememberedSoTheIdIsStillGood() {
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 1);
        node.frozen("orders", true);
        Told<Answer> refused = node.ask("orders", 1, "c", 1);
        node.pulse();
        assertRefused(refused.answer(), Refusal.FROZEN);
        node.frozen("orders", false);
        Told<Answer> handed = node.ask("orders", 1, "c", 1);
        node.pulse();
        assertThat(((Answer.Handed) handed.answer()).duplicate()).isFalse();
    }

    // Bounds, and what others see

    @Test
    void tooManyWhoWaitAreRefusedAndLaterOnesServed() {
        HandNode small = new HandNode("n1", ledger, settings(true, 10, 2, 100));
        small.leadAndOpen(Ending.NONE);
        small.ask("a", 1);
        small.ask("a", 1);
        assertRefused(small.ask("a", 1).answer(), Refusal.OVERLOADED, "2");
        assertRefused(small.create(spec("b", Guarantee.STRICT)).answer(), Refusal.OVERLOADED);
        assertThat(small.duty.figures().waiting()).isEqualTo(2);
        small.pulse();
        assertThat(small.handed("a", 1).start()).isEqualTo(3);
        assertThat(small.duty.figures().refusals()).containsEntry(Refusal.OVERLOADED, 2L);
    }

    @Test
    void whoDoesNotHoldTheSeatSaysWhoDoes() {
        HandNode other = new HandNode("n2", ledger, TokenSettings.DEFAULT);
        assertThat(other.ask("orders", 1).answer()).isEqualTo(new Answer.NotHolder(Optional.empty()));
        node.leadAndOpen(Ending.NONE);
        other.follow();
        other.duty.holderChanged(Optional.of(new Seating(node.tenure().term(), "n1:7000")));
        assertThat(other.ask("orders", 1).answer()).isEqualTo(new Answer.NotHolder(Optional.of("n1:50051")));
        assertThat(other.create(spec("x", Guarantee.STRICT)).answer())
                .isEqualTo(new Changed.NotHolder(Optional.of("n1:50051")));
        other.duty.holderChanged(Optional.empty());
        assertThat(other.ask("orders", 1).answer()).isEqualTo(new Answer.NotHolder(Optional.empty()));
    }

    @Test
    void historyTellsWhereTokensWentAndForgetsTheOldest() {
        for (int term = 1; term <= 70; term++) {
            HandNode holder = new HandNode("n1", ledger, TokenSettings.DEFAULT);
            holder.leadAndOpen(Ending.LAPSED);
            holder.handed("orders", 2);
            holder.handed("orders", 1);
        }
        HandNode reader = new HandNode("n9", ledger, TokenSettings.DEFAULT).follow();
        NamespaceHistory history = reader.duty.history("orders").orElseThrow();
        assertThat(history.stretches()).hasSize(64);
        assertThat(history.rememberedFrom()).isEqualTo(1 + 6 * 3);
        assertThat(history.stretches()).allSatisfy(stretch -> {
            assertThat(stretch.end() - stretch.first()).isEqualTo(3);
            assertThat(stretch.gapFrom()).isEqualTo(stretch.end());
            assertThat(stretch.to().value()).isEqualTo(stretch.from().value() + 1);
        });
        assertThat(reader.duty.history("nowhere")).isEmpty();
    }

    @Test
    void theRevisionNeverDecreasesAndGrowsWithEachTerm() {
        long last = 0;
        for (int term = 0; term < 5; term++) {
            ledger.skipEpochs(term);
            HandNode holder = new HandNode("n" + term, ledger, TokenSettings.DEFAULT);
            holder.leadAndOpen(Ending.LAPSED);
            Answer.Handed handed = holder.handed("ns-" + term, 1);
            assertThat(handed.revision())
                    .isGreaterThan(last)
                    .isGreaterThanOrEqualTo(handed.epoch().value());
            last = handed.revision();
            holder.stepDown("test");
        }
    }

    @Test
    void namespacesAreListedByPrefixAndName() {
        node.leadAndOpen(Ending.NONE);
        node.handed("b/2", 1);
        node.handed("b/1", 4);
        node.handed("a", 1);
        assertThat(node.duty.namespaces("b")).extracting(NamespaceView::name).containsExactly("b/1", "b/2");
        assertThat(node.duty.namespaces("b/1")).singleElement().satisfies(view -> {
            assertThat(view.next()).isEqualTo(OptionalLong.of(5));
            assertThat(view.reserved()).isEqualTo(4);
            assertThat(view.shards()).isEqualTo(OptionalInt.empty());
            assertThat(view.guarantee()).isEqualTo(Guarantee.STRICT);
        });
    }

    @Test
    void aCallerThatThrowsCostsNobodyElseTheAnswer() {
        node.leadAndOpen(Ending.NONE);
        node.duty.next(new Ask("orders", 1, Optional.empty(), false), answer -> {
            throw new IllegalStateException("a caller's defect");
        });
        Told<Answer> told = node.ask("orders", 1);
        node.pulse();
        assertThat(told.isTold()).isTrue();
    }

    @Test
    void anEntryThatDoesNotFitIsRefusedAndTheDutyIsNotReadyAnyMore() {
        node.leadAndOpen(Ending.NONE);
        node.handed("orders", 1);
        node.handed("orders", 1); // the payload of this one is a reservation and nothing else
        HandNode other = new HandNode("n2", ledger, TokenSettings.DEFAULT).follow();
        Entry rewound = Entry.after(
                ledger.head(),
                HandLedger.SEAT,
                node.tenure().term().epoch(),
                List.of(),
                ledger.entries().getLast().payload());
        assertThatThrownBy(() -> other.duty.apply(List.of(rewound)))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("token 2 of orders (expected: 3)");
        assertThat(other.duty.readiness()).isInstanceOf(Readiness.NotReady.class);
        assertThatThrownBy(() -> other.duty.apply(List.of(rewound))).isInstanceOf(BrokenInvariantException.class);
    }

    private void assertRebuiltAlike() {
        HandNode rebuilt = new HandNode("n9", ledger, TokenSettings.DEFAULT).follow();
        assertThat(rebuilt.duty.checkpoint()).isEqualTo(node.duty.checkpoint());
    }
}
