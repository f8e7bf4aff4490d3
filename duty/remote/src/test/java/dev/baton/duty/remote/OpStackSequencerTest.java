package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.NodeId;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The OP Stack's calls against a process that answers with the words of the real one. */
class OpStackSequencerTest {

    private static final Lease LEASE =
            new Lease(LoneSidecar.SEAT, new Epoch(1), new NodeId("n1"), BlockRef.NONE, Optional.empty());

    @TempDir
    Path folder;

    @Test
    void startNeedsTheHashOfTheHeadAndASecondStartOrStopChangesNothing() throws Exception {
        try (Peers peers = new Peers(folder)) {
            Peer peer = peers.start("p1", Kind.OP_STACK, false);
            try (RemoteSequencer remote = peers.connect(peer)) {
                RemoteView idle = Peers.see(remote, BlockRef.NONE);
                assertThat(idle.active()).isFalse();
                assertThat(idle.peers()).isEqualTo(OptionalLong.of(0));
                assertThat(remote.start(new BlockRef(9, Hash.parse("ab".repeat(32))), LEASE))
                        .isInstanceOfSatisfying(
                                Started.Refused.class,
                                refused -> assertThat(refused.why()).contains("block hash does not match"));
                assertThat(remote.start(idle.head(), LEASE)).isEqualTo(new Started.Active());
                assertThat(remote.start(idle.head(), LEASE)).isEqualTo(new Started.Active());
                assertThat(remote.stop(LEASE))
                        .isInstanceOfSatisfying(
                                Stopped.Agreed.class,
                                agreed -> assertThat(agreed.head())
                                        .contains(Peers.see(remote, BlockRef.NONE)
                                                .head()
                                                .hash()));
                assertThat(remote.stop(LEASE)).isEqualTo(new Stopped.Agreed(Optional.empty()));
                assertThat(Peers.see(remote, BlockRef.NONE).active()).isFalse();

                peer.signal("STOP");
                assertThat(remote.look(BlockRef.NONE)).isInstanceOf(Looked.Silent.class);
                assertThat(remote.start(BlockRef.NONE, LEASE)).isInstanceOf(Started.Unknown.class);
                assertThat(remote.stop(LEASE)).isInstanceOf(Stopped.Unknown.class);
            }
        }
    }
}
