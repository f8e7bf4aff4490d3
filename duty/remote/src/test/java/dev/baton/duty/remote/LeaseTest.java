package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-25 at a sequencer process: what it does with leases, good and bad. */
class LeaseTest {

    private static final long LONG_MILLIS = 600_000;

    @TempDir
    Path folder;

    private Peers peers;
    private Peer peer;
    private RemoteSequencer remote;

    @BeforeEach
    void begin() throws Exception {
        peers = new Peers(folder);
        peer = peers.start("p1", Kind.ADMIN, false);
        remote = peers.connect(peer);
    }

    @AfterEach
    void end() throws Exception {
        remote.close();
        peers.close();
    }

    private Lease lease(long epoch, long forMillis) {
        return lease(LoneSidecar.SEAT, epoch, forMillis, BlockRef.NONE);
    }

    private Lease lease(SeatId seat, long epoch, long forMillis, BlockRef recorded) {
        PeerTime now = Peers.see(remote, BlockRef.NONE).clock().orElseThrow();
        return new Lease(
                seat,
                new Epoch(epoch),
                new NodeId("n1"),
                recorded,
                Optional.of(new PeerTime(now.incarnation(), now.millis() + forMillis)));
    }

    private void assertRefused(Lease lease, String why) {
        assertThat(remote.start(BlockRef.NONE, lease))
                .isInstanceOfSatisfying(
                        Started.Refused.class,
                        refused -> assertThat(refused.why()).contains(why));
    }

    @Test
    void aLowerTermIsRefusedAlsoAfterARestart() throws Exception {
        assertThat(remote.start(BlockRef.NONE, lease(5, LONG_MILLIS))).isEqualTo(new Started.Active());
        assertRefused(lease(4, LONG_MILLIS), "of term 4");
        assertThat(remote.stop(lease(4, LONG_MILLIS))).isInstanceOf(Stopped.Refused.class);
        assertThat(Peers.see(remote, BlockRef.NONE).active()).isTrue();

        peer.kill();
        peer = peers.start("p1", Kind.ADMIN, true, peer.port(), List.of());
        assertThat(Peers.see(remote, BlockRef.NONE).active()).isFalse(); // it never works on its own again
        assertRefused(lease(4, LONG_MILLIS), "of term 4");
        assertThat(remote.start(BlockRef.NONE, lease(5, LONG_MILLIS))).isEqualTo(new Started.Active());
    }

    @Test
    void aStartThatComesAfterTheStopOfItsTermIsRefused() {
        Lease fifth = lease(5, LONG_MILLIS);
        assertThat(remote.start(BlockRef.NONE, fifth)).isEqualTo(new Started.Active());
        assertThat(remote.stop(fifth)).isInstanceOf(Stopped.Agreed.class);
        assertRefused(fifth, "in which this sequencer was stopped");
        assertThat(remote.start(BlockRef.NONE, lease(6, LONG_MILLIS))).isEqualTo(new Started.Active());
    }

    @Test
    void itStopsByItselfWhenTheTimeIsOverAndALateTokenDoesNotProlongIt() {
        Lease brief = lease(5, 1_000);
        assertThat(remote.start(BlockRef.NONE, brief)).isEqualTo(new Started.Active());
        await().atMost(Peers.PATIENCE)
                .until(() -> !Peers.see(remote, BlockRef.NONE).active());
        assertRefused(brief, "over since");
    }

    @Test
    void tokensOfOthersAreRefused() throws Exception {
        assertThat(remote.start(BlockRef.NONE, lease(5, LONG_MILLIS))).isEqualTo(new Started.Active());
        assertRefused(lease(SeatId.of("test", "other"), 6, LONG_MILLIS, BlockRef.NONE), "of test/other");
        assertRefused(lease(LoneSidecar.SEAT, 6, LONG_MILLIS, new BlockRef(1, Hash.ZERO)), "does not contain it");
        Lease right = lease(6, LONG_MILLIS);
        assertRefused(
                new Lease(
                        right.seat(),
                        right.epoch(),
                        right.holder(),
                        right.recorded(),
                        Optional.of(new PeerTime(1, LONG_MILLIS))),
                "for another process");
        assertRefused(
                new Lease(right.seat(), right.epoch(), right.holder(), right.recorded(), Optional.empty()),
                "without a time");
        try (RemoteSequencer forger = Peers.connect(peer, peers.newKey("other.key", (byte) 8))) {
            assertThat(forger.start(BlockRef.NONE, right))
                    .isEqualTo(new Started.Refused("FAILED_PRECONDITION lease_token: its seal is not this cluster's"));
        }
        assertThat(remote.start(BlockRef.NONE, right)).isEqualTo(new Started.Active());
    }

    @Test
    void noAnswerInTimeIsUnknown() throws Exception {
        Lease lease = lease(5, LONG_MILLIS);
        peer.signal("STOP");
        assertThat(remote.look(BlockRef.NONE)).isInstanceOf(Looked.Silent.class);
        assertThat(remote.start(BlockRef.NONE, lease)).isInstanceOf(Started.Unknown.class);
        assertThat(remote.stop(lease)).isInstanceOf(Stopped.Unknown.class);
        peer.signal("CONT");
        Peers.see(remote, BlockRef.NONE);
    }
}
