package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.NodeId;
import dev.baton.core.standing.Readiness;
import dev.baton.core.standing.Standing;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import dev.baton.wire.remote.v1.Block;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** INV-22, INV-25 and INV-26 on real sequencer processes: each works under its node's seat only. */
class RemoteDutyTest {

    private static final Duration PATIENCE = Peers.PATIENCE;

    @TempDir
    Path folder;

    private final MemoryEngine engine = new MemoryEngine(LoneSidecar.TIMINGS.takeoverDelay());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Peers peers;

    private record Node(RemoteDuty duty, JoinedSeat seat) {}

    @BeforeEach
    void begin() throws Exception {
        peers = new Peers(folder);
        opened.add(peers);
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    private Node join(String name, Peer peer) throws Exception {
        RemoteDuty duty =
                RemoteDuty.open(LoneSidecar.SEAT, peers.connect(peer), LoneSidecar.settings(name), LoneSidecar.TIMINGS);
        opened.add(duty);
        JoinedSeat seat = Seat.of(LoneSidecar.SEAT)
                .contender(name)
                .timings(LoneSidecar.TIMINGS)
                .onCannotStop(why -> {
                    throw new AssertionError(why);
                })
                .join(engine.connect(new NodeId(name)), duty);
        opened.add(seat);
        return new Node(duty, seat);
    }

    private static void awaitLeading(Node node) {
        await().atMost(PATIENCE).until(() -> node.seat().status().leads());
    }

    /** Leads, and the ledger has a head of the sequencer that others had time to follow. */
    private static BlockRef awaitRecorded(Node node, long above) {
        awaitLeading(node);
        return await().atMost(PATIENCE).until(() -> node.duty().record().head(), head -> head.number() > above);
    }

    private static void awaitHeight(Peer peer, long height) {
        await().atMost(PATIENCE).until(() -> peer.height() >= height);
    }

    private static boolean works(Node node) {
        return node.duty().lastLook() instanceof Looked.Seen(RemoteView view) && view.active();
    }

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

    private static String refusal(Node node) {
        return node.duty().readiness() instanceof Readiness.NotReady(String why) ? why : "";
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

    /** Both have the recorded block, and the former holder's process follows the other's blocks. */
    private static void assertOneChain(Peer former, Peer current, BlockRef recorded) {
        long height = current.height();
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<Block> followed = former.blocks();
            assertThat(followed.size()).isGreaterThan((int) height);
            assertThat(current.blocks())
                    .startsWith(followed.subList(0, (int) height).toArray(Block[]::new));
        });
        Block after = current.blocks().get((int) recorded.number());
        assertThat(after.getParent().toByteArray()).isEqualTo(recorded.hash().toArray());
    }

    @Test
    void aFrozenSequencerCostsTheSeatAndMakesNoBlockWhenItWakes() throws Exception {
        int port1 = LoopbackPorts.next();
        int port2 = LoopbackPorts.next();
        Peer one = peers.start("p1", Kind.ADMIN, false, port1, List.of("127.0.0.1:" + port2));
        Peer two = peers.start("p2", Kind.ADMIN, false, port2, List.of("127.0.0.1:" + port1));
        Node first = join("n1", one);
        awaitRecorded(first, 3);
        Node second = join("n2", two);
        await().atMost(PATIENCE).until(() -> second.seat().status().readiness().isReady());
        long epoch = first.seat()
                .status()
                .currentHolder()
                .orElseThrow()
                .term()
                .epoch()
                .value();

        one.signal("STOP");
        await().atMost(PATIENCE).until(() -> first.seat().status().standing() instanceof Standing.Fenced);
        await().atMost(PATIENCE).until(() -> first.duty().count().stopped().containsKey("its lease ran out"));
        BlockRef recorded = first.duty().record().head();
        awaitRecorded(second, recorded.number() + 3);
        one.signal("CONT");
        await().atMost(PATIENCE).until(() -> one.said().contains("no more blocks"));
        assertOneChain(one, two, recorded);
        // Whatever it made in its last moments came before the other's first block.
        long last =
                two.blocks().stream().filter(block -> block.getEpoch() == epoch).count();
        assertThat(one.blocks().stream()
                        .filter(block -> block.getEpoch() == epoch)
                        .count())
                .isEqualTo(last);
    }

    @Test
    void aKilledSequencerCostsTheSeat() throws Exception {
        Peer one = peers.start("p1", Kind.ADMIN, false);
        Peer two = peers.start("p2", Kind.ADMIN, false, one);
        Node first = join("n1", one);
        awaitRecorded(first, 3);
        Node second = join("n2", two);
        await().atMost(PATIENCE).until(() -> second.seat().status().readiness().isReady());
        one.kill();
        await().atMost(PATIENCE).until(() -> second.seat().status().leads());
        assertThat(first.seat().status().leadsAt(System.nanoTime())).isFalse();
        BlockRef recorded = awaitRecorded(second, 3);
        awaitRecorded(second, recorded.number() + 3);
    }

    @Test
    void aSequencerThatWasStartedAnewIsTakenUpAgain() throws Exception {
        Peer peer = peers.start("p1", Kind.ADMIN, false);
        Node node = join("n1", peer);
        BlockRef recorded = awaitRecorded(node, 3);
        peer.kill();
        Peer again = peers.start("p1", Kind.ADMIN, false, peer.port(), List.of());
        awaitRecorded(node, recorded.number() + 3);
        awaitHeight(again, recorded.number() + 3);
    }

    /** OP Stack nodes know no leases, so the sidecar of another holder stops what it finds working. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSequencerThatWorksAlthoughAnotherNodeHoldsTheSeatIsStopped(Kind kind) throws Exception {
        Peer own = peers.start("p1", kind, false);
        Node first = join("n1", own);
        awaitRecorded(first, 1);
        Peer stray = peers.start("p2", kind, true);
        awaitHeight(stray, 1);
        Node second = join("n2", stray);
        await().atMost(PATIENCE).until(() -> stray.said().contains("no more blocks"));
        await().atMost(PATIENCE).until(() -> !works(second) && !second.duty().hasStrayed());
        assertThat(first.seat().status().leads()).isTrue();
    }

    private Process sidecar(String name, String address) throws Exception {
        List<String> command = Peers.java(LoneSidecar.class);
        command.addAll(List.of(peers.key().toString(), address));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        opened.add(process::destroyForcibly);
        return process;
    }

    @Test
    void theSequencerOfAKilledSidecarStopsByItself() throws Exception {
        Peer peer = peers.start("p1", Kind.ADMIN, false);
        Process sidecar = sidecar("sidecar", peer.address());
        awaitHeight(peer, 3);
        sidecar.destroyForcibly().waitFor();
        await().atMost(PATIENCE).until(() -> peer.said().contains("ran out"));
    }

    @Test
    void aSidecarThatCannotProveTheStopShoutsAndEndsWithAStatusOfItsOwn() throws Exception {
        Peer peer = peers.start("p1", Kind.OP_STACK, false);
        Process sidecar = sidecar("sidecar", "http://127.0.0.1:" + peer.opPort());
        awaitHeight(peer, 3);
        peer.signal("STOP"); // an OP Stack node has no lease: nothing says what it will do when it wakes
        assertThat(sidecar.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(sidecar.exitValue()).isEqualTo(JoinedSeat.EXIT_CANNOT_STOP);
        assertThat(Files.readString(folder.resolve("sidecar.log"))).contains("STOP NOT PROVEN");

        Node next = join("n1", peer); // the node comes back, and its sequencer still does not answer
        await().atMost(PATIENCE)
                .until(() -> refusal(next).contains("does not answer: ")
                        && !refusal(next).contains("not asked"));
        assertThat(next.seat().status().leads()).isFalse();
    }
}
