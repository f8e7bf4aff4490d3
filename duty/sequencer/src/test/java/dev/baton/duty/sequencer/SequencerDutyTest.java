package dev.baton.duty.sequencer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.core.standing.Fencing;
import dev.baton.duty.TermOverException;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.fixture.HandTenure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequencerDutyTest {

    @TempDir
    Path folder;

    private TestNode.Cluster cluster;
    private TestNode a;
    private TestNode b;
    private final List<TestNode> open = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        cluster = new TestNode.Cluster(folder);
        a = node("a", SequencerSettings.DEFAULT);
        b = node("b", SequencerSettings.DEFAULT);
    }

    @AfterEach
    void stop() {
        open.forEach(TestNode::close);
    }

    private TestNode node(String name, SequencerSettings settings) throws Exception {
        TestNode node = new TestNode(cluster, name, settings, (chain, verifier) -> new TestNode.NoExchange());
        open.add(node);
        return node;
    }

    private void restart(TestNode node) throws Exception {
        open.remove(node);
        node.close();
        TestNode again = node(node.id.value(), SequencerSettings.DEFAULT);
        if (node == a) {
            a = again;
        } else {
            b = again;
        }
    }

    private CompletableFuture<Submitted> submitting(TestNode node, String transaction) {
        return node.duty.submit(Bytes.utf8(transaction)).toCompletableFuture();
    }

    /** Submits something whose answer does not matter. */
    private void enqueue(TestNode node, String transaction) {
        assertThat(submitting(node, transaction)).isNotDone();
    }

    private static Submitted.Accepted accepted(CompletableFuture<Submitted> answer) throws Exception {
        return (Submitted.Accepted) answer.get(10, TimeUnit.SECONDS);
    }

    /** In how many blocks of the ledger the transaction stands. */
    private long occurrences(String transaction) {
        return cluster.ledger.entries().stream()
                .map(Block::of)
                .flatMap(block -> block.body().transactions().stream())
                .filter(Bytes.utf8(transaction)::equals)
                .count();
    }

    @Test
    void idleHolderMakesEmptyBlocksWithRisingTimes() throws Exception {
        assertThat(a.duty.fencing()).isEqualTo(Fencing.AT_LEDGER);
        HandTenure tenure = a.lead();
        Block first = a.pulse(tenure);
        cluster.nowMillis.addAndGet(-5000);
        Block second = a.pulse(tenure);
        assertThat(first.body().transactions()).isEmpty();
        assertThat(first.body().timeMillis()).isEqualTo(1_000_000);
        assertThat(second.body().timeMillis()).isEqualTo(1_000_001);
        assertThat(second.parent()).isEqualTo(first.hash());
    }

    @Test
    void submissionIsAnsweredOnlyAfterItsBlockIsReleased() throws Exception {
        HandTenure tenure = a.lead();
        CompletableFuture<Submitted> one = submitting(a, "one");
        CompletableFuture<Submitted> two = submitting(a, "two");
        Entry entry = a.propose(tenure);
        cluster.ledger.commit(entry);
        assertThat(one).isNotDone();
        a.duty.release(tenure, entry);
        assertThat(accepted(one))
                .isEqualTo(
                        new Submitted.Accepted(Height.FIRST, 0, Hash.sha256(Bytes.utf8("one")), entry.hash(), false));
        assertThat(accepted(two).index()).isEqualTo(1);
        a.duty.release(tenure, entry);
        assertThat(a.duty.statistics().produced()).isEqualTo(1);
        assertThat(a.duty.statistics().pending()).isZero();
    }

    @Test
    void draftRepeatsItselfUntilItIsReleasedAndLaterSubmissionsWait() throws Exception {
        HandTenure tenure = a.lead();
        enqueue(a, "one");
        Entry first = a.propose(tenure);
        CompletableFuture<Submitted> late = submitting(a, "late");
        assertThat(a.propose(tenure)).isEqualTo(first);
        cluster.ledger.commit(first);
        a.duty.release(tenure, first);
        a.pulse(tenure);
        assertThat(accepted(late).height()).isEqualTo(new Height(2));
        assertThat(occurrences("one")).isOne();
    }

    @Test
    void blockTakesWhatFitsInOrderAndTheRestWaits() throws Exception {
        TestNode c = node("c", SequencerSettings.DEFAULT.withLimits(400, 100, 10));
        HandTenure tenure = c.lead();
        List<CompletableFuture<Submitted>> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            answers.add(submitting(c, i + "x".repeat(99)));
        }
        c.pulse(tenure);
        c.pulse(tenure);
        List<Long> heights = new ArrayList<>();
        for (CompletableFuture<Submitted> answer : answers) {
            heights.add(accepted(answer).height().value());
        }
        assertThat(heights).containsExactly(1L, 1L, 1L, 2L, 2L, 2L);
    }

    @Test
    void whatCannotBeTakenIsRefusedWithAReasonAndTheRestIsNotLost() throws Exception {
        TestNode c = node("c", SequencerSettings.DEFAULT.withLimits(400, 100, 2));
        HandTenure tenure = c.lead();
        CompletableFuture<Submitted> kept = submitting(c, "kept");
        enqueue(c, "kept too");
        assertThat(c.submit(""))
                .isEqualTo(new Submitted.Rejected(Submitted.Reason.EMPTY, "transaction: 0 bytes (expected: 1 to 100)"));
        assertThat(c.submit("x".repeat(101)))
                .isEqualTo(new Submitted.Rejected(
                        Submitted.Reason.TOO_LARGE, "transaction: 101 bytes (expected: 1 to 100)"));
        assertThat(c.submit("!"))
                .isEqualTo(new Submitted.Rejected(Submitted.Reason.MALFORMED, "transaction: begins with '!'"));
        assertThat(((Submitted.Rejected) c.submit("third")).reason()).isEqualTo(Submitted.Reason.POOL_FULL);
        c.pulse(tenure);
        assertThat(accepted(kept).height()).isEqualTo(Height.FIRST);
    }

    @Test
    void duplicateJoinsThePendingOneAndLaterGetsItsPlace() throws Exception {
        HandTenure tenure = a.lead();
        CompletableFuture<Submitted> first = submitting(a, "tx");
        CompletableFuture<Submitted> second = submitting(a, "tx");
        a.pulse(tenure);
        assertThat(accepted(first).duplicate()).isFalse();
        assertThat(accepted(second)).isEqualTo(accepted(first).asDuplicate());
        assertThat(a.submit("tx")).isEqualTo(accepted(first).asDuplicate());
        a.pulse(tenure);
        assertThat(occurrences("tx")).isOne();
    }

    @Test
    void duplicateIsRecognisedAfterARestart() throws Exception {
        HandTenure tenure = a.lead();
        CompletableFuture<Submitted> first = submitting(a, "tx");
        a.pulse(tenure);
        Submitted.Accepted place = accepted(first);
        restart(a);
        assertThat(a.submit("tx")).isEqualTo(place.asDuplicate());
        assertThat(a.duty.applied()).isEqualTo(Height.FIRST);
    }

    @Test
    void transactionCommittedButNotAcknowledgedIsFoundByTheRetryAtTheNewHolder() throws Exception {
        HandTenure old = a.lead();
        a.pulse(old);
        CompletableFuture<Submitted> inFlight = submitting(a, "tx");
        Entry entry = a.propose(old);
        cluster.ledger.commit(entry);
        CompletableFuture<Submitted> waiting = submitting(a, "never drafted");
        a.duty.holderChanged(Optional.of(new Seating(new HandTenure(b.id, 2, cluster.ledger).term(), "b:1")));
        a.stepDown(old);

        assertThat(inFlight.get(10, TimeUnit.SECONDS)).isInstanceOf(Submitted.Unknown.class);
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(new Submitted.NotHolder("b:1"));
        assertThatThrownBy(() -> a.duty.release(old, entry)).isInstanceOf(TermOverException.class);

        HandTenure next = b.lead();
        assertThat(b.submit("tx"))
                .isEqualTo(new Submitted.Accepted(new Height(2), 0, Hash.sha256(Bytes.utf8("tx")), entry.hash(), true));
        CompletableFuture<Submitted> again = submitting(b, "never drafted");
        b.pulse(next);
        assertThat(accepted(again).duplicate()).isFalse();
        assertThat(occurrences("tx")).isOne();
        assertThat(occurrences("never drafted")).isOne();
        a.catchUpWithLedger();
        assertThat(a.duty.applied()).isEqualTo(b.duty.applied());
        assertThat(a.duty.statistics().stateRoot())
                .isEqualTo(b.duty.statistics().stateRoot());
    }

    @Test
    void draftThatWasNeverCommittedLeavesNothingBehind() throws Exception {
        HandTenure old = a.lead();
        CompletableFuture<Submitted> inFlight = submitting(a, "tx");
        a.propose(old);
        a.stepDown(old);
        assertThat(inFlight.get(10, TimeUnit.SECONDS)).isInstanceOf(Submitted.Unknown.class);
        HandTenure next = b.lead();
        CompletableFuture<Submitted> again = submitting(b, "tx");
        b.pulse(next);
        assertThat(accepted(again).duplicate()).isFalse();
        b.stepDown(next);

        HandTenure third = a.lead();
        a.pulse(third);
        assertThat(occurrences("tx")).isOne();
        assertThat(a.signer.signed()).hasSize(2);
    }

    @Test
    void followerTakesNoTransactionsButKnowsWhereTheCommittedOnesWent() throws Exception {
        HandTenure tenure = a.lead();
        enqueue(a, "tx");
        a.pulse(tenure);
        assertThat(b.submit("tx")).isEqualTo(new Submitted.NotHolder(null));
        b.catchUpWithLedger();
        assertThat(b.submit("tx")).isInstanceOf(Submitted.Accepted.class);
    }

    @Test
    void signerOutageStopsProductionAndNothingUncommittedIsEverSigned() throws Exception {
        HandTenure tenure = a.lead();
        a.pulse(tenure);
        CompletableFuture<Submitted> answer = submitting(a, "tx");
        Entry entry = a.propose(tenure);
        assertThat(a.signer.signed()).hasSize(1);
        cluster.ledger.commit(entry);
        a.signer.fails(true);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> a.duty.release(tenure, entry)).hasMessageContaining("key service");
            assertThat(answer).isNotDone();
            assertThat(a.duty.applied()).isEqualTo(Height.FIRST);
            assertThatThrownBy(() -> a.duty.draft(tenure)).hasMessageContaining("block store ends at");
        }
        assertThatThrownBy(a.duty::probe).hasMessageContaining("key service");
        a.signer.fails(false);
        a.duty.release(tenure, entry);
        assertThat(accepted(answer).height()).isEqualTo(new Height(2));
        a.propose(tenure);
        assertThat(cluster.ledger.entries()).extracting(Entry::hash).containsAll(a.signer.signed());
    }

    @Test
    void newHolderSignsTheRecoveredTip() throws Exception {
        HandTenure old = a.lead();
        a.pulse(old);
        cluster.ledger.commit(a.propose(old));
        a.stepDown(old);
        b.catchUpWithLedger();
        assertThat(b.duty.statistics().unsigned()).isEqualTo(2);
        b.signer.fails(true);
        assertThatThrownBy(b::lead).hasMessageContaining("key service");
        b.signer.fails(false);
        b.lead();
        assertThat(b.sequencer.chain().read(new Height(2)).orElseThrow().signature())
                .hasValueSatisfying(signature -> assertThat(signature.signer()).isEqualTo(b.id));
        assertThat(b.signer.signed()).containsExactly(cluster.ledger.head().hash());
    }

    @Test
    void executorOutageStopsProductionAndTheBlockIsExecutedOnce() throws Exception {
        HandTenure tenure = a.lead();
        Entry entry = a.propose(tenure);
        cluster.ledger.commit(entry);
        a.executor.fails = true;
        assertThatThrownBy(() -> a.duty.release(tenure, entry)).hasMessageContaining("execution engine");
        assertThat(a.duty.applied()).isEqualTo(Height.ZERO);
        a.executor.fails = false;
        a.duty.release(tenure, entry);
        assertThat(a.executor.executed.get()).isEqualTo(1);
        assertThat(a.signer.signed()).hasSize(1);
    }

    @Test
    void fullDiskStopsProductionAndTheBlockIsExecutedOnce() throws Exception {
        HandTenure tenure = a.lead();
        a.pulse(tenure);
        CompletableFuture<Submitted> answer = submitting(a, "tx");
        Entry entry = a.propose(tenure);
        cluster.ledger.commit(entry);
        a.files.full(true);
        assertThatThrownBy(() -> a.duty.release(tenure, entry))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
        assertThatThrownBy(a.duty::probe).hasMessageContaining("No space left on device");
        assertThat(answer).isNotDone();
        assertThat(a.duty.applied()).isEqualTo(Height.FIRST);
        a.files.full(false);
        a.duty.release(tenure, entry);
        assertThat(accepted(answer).height()).isEqualTo(new Height(2));
        assertThat(a.executor.executed.get()).isEqualTo(2);
        assertThat(a.signer.signed()).hasSize(2);
    }

    @Test
    void holderThatHasNotFollowedTheLedgerToItsHeadDoesNotAssume() throws Exception {
        HandTenure old = a.lead();
        a.pulse(old);
        assertThatThrownBy(() -> b.duty.assume(new HandTenure(b.id, 9, cluster.ledger)))
                .hasMessageContaining("block store ends at 0/");
    }

    @Test
    void termThatEndsBeforeItWasAssumedTakesNoTransactions() throws Exception {
        HandTenure tenure = new HandTenure(a.id, 1, cluster.ledger);
        a.duty.relinquish(tenure, "test");
        assertThatThrownBy(() -> a.duty.assume(tenure)).isInstanceOf(TermOverException.class);
        assertThat(a.submit("tx")).isEqualTo(new Submitted.NotHolder(null));
    }
}
