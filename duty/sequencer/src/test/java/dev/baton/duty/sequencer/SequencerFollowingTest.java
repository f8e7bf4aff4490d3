package dev.baton.duty.sequencer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.HandTenure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the duty follows the ledger and the holder, and what it tells of itself. */
class SequencerFollowingTest {

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

    private CompletableFuture<Submitted> submitting(TestNode node, String transaction) {
        return node.duty.submit(Bytes.utf8(transaction)).toCompletableFuture();
    }

    /** Submits something whose answer does not matter. */
    private void enqueue(TestNode node, String transaction) {
        assertThat(submitting(node, transaction)).isNotDone();
    }

    @Test
    void followerThatCannotStoreOrExecuteFailsToApplyAndTakesItAgain() throws Exception {
        List<Block> chain = Blocks.chain(3);
        a.executor.fails = true;
        assertThatThrownBy(() -> a.duty.apply(Blocks.entries(chain))).hasMessageContaining("execution engine");
        a.executor.fails = false;
        a.files.full(true);
        assertThatThrownBy(() -> a.duty.apply(Blocks.entries(chain))).hasMessageContaining("No space");
        assertThat(a.duty.applied()).isEqualTo(Height.ZERO);
        assertThat(a.duty.readiness().toString()).contains("No space");
        a.files.full(false);
        a.duty.apply(Blocks.entries(chain));
        assertThat(a.duty.readiness().isReady()).isTrue();
        assertThat(a.duty.applied()).isEqualTo(new Height(3));
        assertThat(a.executor.executed.get()).isEqualTo(3);
    }

    @Test
    void nodeWhoseDiskDidNotConfirmAWriteNeitherLeadsNorRecoversByItself() throws Exception {
        HandTenure tenure = a.lead();
        a.pulse(tenure);
        Entry entry = a.propose(tenure);
        cluster.ledger.commit(entry);
        a.files.syncFails(true);
        assertThatThrownBy(() -> a.duty.release(tenure, entry)).hasMessageContaining("restart the node");
        a.files.syncFails(false);
        assertThatThrownBy(() -> a.duty.release(tenure, entry)).hasMessageContaining("restart the node");
        assertThatThrownBy(a.duty::probe).hasMessageContaining("restart the node");
        assertThat(a.duty.readiness().isReady()).isFalse();
        assertThat(a.duty.applied()).isEqualTo(Height.FIRST);
    }

    @Test
    void entriesSeenBeforeAreSkipped() throws Exception {
        List<Entry> entries = Blocks.entries(Blocks.chain(4));
        a.duty.apply(entries.subList(0, 3));
        a.duty.apply(entries);
        assertThat(a.duty.applied()).isEqualTo(new Height(4));
        assertThat(a.executor.executed.get()).isEqualTo(4);
    }

    @Test
    void ledgerThatContradictsTheStoreStopsTheNodeAndNothingIsOverwritten() throws Exception {
        List<Block> chain = Blocks.chain(3);
        a.duty.apply(Blocks.entries(chain));
        List<Entry> other = Blocks.entries(Blocks.chain(chain.getFirst().asHead(), 2, "other-"));
        assertThatThrownBy(() -> a.duty.apply(other))
                .isInstanceOf(ForkDetectedException.class)
                .hasMessageContaining("differs from this node's stored block 2/");
        assertThat(a.duty.readiness().isReady()).isFalse();
        Entry onOther = Blocks.after(other.getLast().asHead()).entry();
        assertThatThrownBy(() -> a.duty.apply(List.of(onOther))).isInstanceOf(ForkDetectedException.class);
        assertThatThrownBy(a.duty::probe).isInstanceOf(ForkDetectedException.class);
        assertThat(a.sequencer.chain().head()).isEqualTo(chain.getLast().asHead());
    }

    @Test
    void ledgerEntryWithAnotherParentIsAFork() throws Exception {
        a.duty.apply(Blocks.entries(Blocks.chain(2)));
        Entry stranger = Blocks.after(new Head(new Height(2), Hash.sha256(Bytes.utf8("?"))))
                .entry();
        assertThatThrownBy(() -> a.duty.apply(List.of(stranger))).isInstanceOf(ForkDetectedException.class);
    }

    @Test
    void entryThatIsNoBlockIsRefused() {
        Entry entry = Entry.after(Head.GENESIS, Blocks.SEAT, new Epoch(1), List.of(), Bytes.utf8("?"));
        assertThatThrownBy(() -> a.duty.apply(List.of(entry))).hasMessageContaining("is not a block");
    }

    @Test
    void checkpointCarriesTheStateRootAndFollowersCompareIt() throws Exception {
        TestNode c = node("c", SequencerSettings.DEFAULT.withCheckpointEvery(2));
        HandTenure tenure = c.lead();
        enqueue(c, "tx");
        c.pulse(tenure);
        c.pulse(tenure);
        Hash root = c.duty.statistics().stateRoot();
        Block third = c.pulse(tenure);
        assertThat(third.entry().facts())
                .containsExactly(new Fact.Checkpoint(new Height(2), 1, 1, Bytes.wrap(root.toArray())));
        c.pulse(tenure);
        a.catchUpWithLedger();
        assertThat(a.duty.statistics().stateRoot()).isEqualTo(root);

        Entry wrong = Entry.after(
                cluster.ledger.head(),
                Blocks.SEAT,
                new Epoch(1),
                List.of(new Fact.Checkpoint(new Height(4), 1, 1, Bytes.utf8("another root"))),
                third.entry().payload());
        assertThatThrownBy(() -> a.duty.apply(List.of(wrong)))
                .isInstanceOf(StateDivergedException.class)
                .hasMessageContaining("not deterministic");
        assertThat(a.duty.readiness().isReady()).isFalse();
    }

    @Test
    void nodeOlderThanTheLedgerIsNotReady() {
        assertThatThrownBy(() -> a.duty.catchUp(new Height(10))).hasMessageContaining("no peers");
        assertThat(a.duty.readiness().toString()).contains("the ledger begins at 10");
    }

    @Test
    void publishedBlocksAreTheSafeHeadAndTheNewHolderGoesOnFromThere() throws Exception {
        HandTenure tenure = a.lead();
        a.pulse(tenure);
        await().until(() -> a.duty.statistics().safeHead().equals(Height.FIRST));
        a.stepDown(tenure);
        HandTenure next = b.lead();
        b.pulse(next);
        await().until(() -> b.duty.statistics().safeHead().equals(new Height(2)));
        assertThat(b.propose(next))
                .extracting(entry -> Block.of(entry).body().l1Origin())
                .isEqualTo("local:2");
        assertThat(b.duty.statistics().backlog()).isZero();
        assertThat(b.duty.statistics().publishLatency()).isPositive();
        assertThat(a.duty.statistics().safeHead()).isEqualTo(new Height(2));
    }

    @Test
    void backlogGrowsWhileNobodyPublishesAndProductionGoesOn() throws Exception {
        a.duty.apply(Blocks.entries(Blocks.chain(3)));
        assertThat(a.duty.statistics().backlog()).isEqualTo(3);
    }

    @Test
    void followerListensToTheHolderAndStopsWhenItLeadsItself() throws Exception {
        TestNode.NoExchange exchange = new TestNode.NoExchange();
        TestNode c = new TestNode(cluster, "c", SequencerSettings.DEFAULT, (chain, verifier) -> exchange);
        open.add(c);
        Seating byA = new Seating(new HandTenure(a.id, 1, cluster.ledger).term(), "a:1");
        c.duty.holderChanged(Optional.of(byA));
        assertThat(exchange.following).isEqualTo(byA);
        assertThat(c.duty.holderAddress()).contains("a:1");
        c.lead();
        assertThat(exchange.following).isNull();
        c.duty.holderChanged(Optional.of(byA));
        c.duty.holderChanged(Optional.empty());
        assertThat(exchange.following).isNull();
        assertThat(c.duty.holderAddress()).isEmpty();
    }
}
