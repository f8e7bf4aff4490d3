package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import dev.baton.wire.remote.v1.Block;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** INV-22, INV-25 and INV-26 on real sequencer processes: each works under its node's seat only. */
class RemoteDutyTest extends RemoteNodes {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSequencerWorksUnderTheSeatOnlyAndItsHeadsAreRecorded(Kind kind) throws Exception {
        Peer peer = peers.start("p1", kind, false);
        assertThat(peer.height()).isZero();
        Node node = join("n1", peer);
        BlockRef recorded = awaitRecorded(node, 3);
        Block block = peer.blocks().get((int) recorded.number() - 1);
        assertThat(block.getNumber()).isEqualTo(recorded.number());

        node.seat().pause("test");
        await().atMost(PATIENCE).until(() -> node.duty().count().stopped().containsKey("asked"));
        long height = peer.height();
        try (RemoteSequencer remote = peers.connect(peer)) {
            assertThat(Peers.see(remote, recorded).active()).isFalse();
            assertThat(Peers.see(remote, recorded).ancestor()).isEqualTo(new Ancestor.Has(recorded.hash()));
        }
        node.seat().resume();
        awaitRecorded(node, height);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSequencerThatWorksAlreadyIsAdoptedWithoutABreak(Kind kind) throws Exception {
        Peer peer = peers.start("p1", kind, true);
        awaitHeight(peer, 5);
        Node node = join("n1", peer);
        awaitRecorded(node, 5);
        assertThat(peer.said()).contains("making blocks on its own").doesNotContain("no more blocks");
    }

    @Test
    void anIdleSequencerWithBlocksDoesNotBeginAnEmptyLedgerBecauseAnotherMayWork() throws Exception {
        Peer live = peers.start("p1", Kind.ADMIN, true);
        Peer copy = peers.start("p2", Kind.ADMIN, false, live);
        awaitHeight(copy, 1);
        Node second = join("n2", copy);
        await().atMost(PATIENCE).until(() -> refusal(second).contains("the ledger is empty"));
        Node first = join("n1", live);
        awaitRecorded(first, 1);
        await().atMost(PATIENCE).until(() -> second.seat().status().readiness().isReady());
        assertThat(live.said()).doesNotContain("no more blocks");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSequencerWithAnotherChainIsNeverStarted(Kind kind) throws Exception {
        Peer own = peers.start("p1", kind, false);
        Node first = join("n1", own);
        Peer foreign = peers.start("p2", kind, true); // makes a chain of its own, and is stopped for it
        awaitHeight(foreign, 1);
        awaitRecorded(first, foreign.height() + 40);
        Node second = join("n2", foreign);
        await().atMost(PATIENCE).until(() -> refusal(second).contains("is refused: its "));
        first.seat().pause("test");
        await().atMost(PATIENCE)
                .until(() -> first.seat().status().currentHolder().isEmpty());
        // Its own seat comes back to it although the other asks all the time: whoever has the chain goes on with it.
        BlockRef left = first.duty().record().head();
        first.seat().resume();
        awaitRecorded(first, left.number());
        assertThat(second.seat().status().leads()).isFalse();
        await().atMost(PATIENCE).until(() -> foreign.said().contains("no more blocks"));
        assertThat(foreign.said()).doesNotContain("making blocks under").doesNotContain("making blocks at");
    }

    @Test
    void theSeatMovesWithTheChainAndTheFormerHoldersSequencerFollows() throws Exception {
        int port1 = LoopbackPorts.next();
        int port2 = LoopbackPorts.next();
        Peer one = peers.start("p1", Kind.ADMIN, false, port1, List.of("127.0.0.1:" + port2));
        Peer two = peers.start("p2", Kind.ADMIN, false, port2, List.of("127.0.0.1:" + port1));
        Node first = join("n1", one);
        BlockRef recorded = awaitRecorded(first, 3);
        Node second = join("n2", two);
        await().atMost(PATIENCE).until(() -> second.seat().status().readiness().isReady());
        first.seat().pause("test");
        awaitRecorded(second, recorded.number() + 3);
        assertOneChain(one, two, recorded);
    }
}
