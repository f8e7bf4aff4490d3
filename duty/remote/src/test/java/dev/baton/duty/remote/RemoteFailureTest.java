package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.standing.Standing;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import dev.baton.seat.JoinedSeat;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same when a sequencer, or the node beside it, freezes, dies, strays or is started anew. */
class RemoteFailureTest extends RemoteNodes {

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
