package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.NodeId;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.remote.Peers.Peer;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import dev.baton.wire.remote.v1.Block;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Real sequencer processes of one test, and nodes beside them that share an engine in memory. */
abstract class RemoteNodes {

    static final Duration PATIENCE = Peers.PATIENCE;

    @TempDir
    Path folder;

    private final MemoryEngine engine = new MemoryEngine(LoneSidecar.TIMINGS.takeoverDelay());
    final List<AutoCloseable> opened = new ArrayList<>();
    Peers peers;

    record Node(RemoteDuty duty, JoinedSeat seat) {}

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

    Node join(String name, Peer peer) throws Exception {
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

    static void awaitLeading(Node node) {
        await().atMost(PATIENCE).until(() -> node.seat().status().leads());
    }

    /** Leads, and the ledger has a head of the sequencer that others had time to follow. */
    static BlockRef awaitRecorded(Node node, long above) {
        awaitLeading(node);
        return await().atMost(PATIENCE).until(() -> node.duty().record().head(), head -> head.number() > above);
    }

    static void awaitHeight(Peer peer, long height) {
        await().atMost(PATIENCE).until(() -> peer.height() >= height);
    }

    static boolean works(Node node) {
        return node.duty().lastLook() instanceof Looked.Seen(RemoteView view) && view.active();
    }

    static String refusal(Node node) {
        return node.duty().readiness() instanceof Readiness.NotReady(String why) ? why : "";
    }

    /** Both have the recorded block, and the former holder's process follows the other's blocks. */
    static void assertOneChain(Peer former, Peer current, BlockRef recorded) {
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
}
