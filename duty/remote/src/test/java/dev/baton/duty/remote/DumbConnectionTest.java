package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.duty.remote.Peers.Kind;
import dev.baton.duty.remote.Peers.Peer;
import dev.baton.duty.remote.admin.AdminApiSequencer;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import io.grpc.InsecureChannelCredentials;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection that stays open and carries nothing any more must not be kept for ever. */
class DumbConnectionTest {

    @TempDir
    Path folder;

    private Peers peers;
    private Peer peer;
    private Relay relay;

    @BeforeEach
    void begin() throws Exception {
        peers = new Peers(folder);
        peer = peers.start("p1", Kind.ADMIN, true);
        relay = new Relay(peer.port());
    }

    @AfterEach
    void end() throws Exception {
        relay.close();
        peers.close();
    }

    @Test
    void aNodeReachesItsSequencerAgainOverANewConnection() throws Exception {
        RemoteSequencer remote = new AdminApiSequencer(
                relay.address(),
                InsecureChannelCredentials.create(),
                Peers.CALL_TIMEOUT,
                new LeaseTokens(LeaseKey.read(peers.key())));
        try {
            Peers.see(remote, BlockRef.NONE);
            relay.forget();
            assertThat(remote.look(BlockRef.NONE)).isInstanceOf(Looked.Silent.class);
            assertThat(Peers.see(remote, BlockRef.NONE).active()).isTrue();
        } finally {
            remote.close();
        }
    }

    @Test
    void aSequencerFollowsAgainOverANewConnection() throws Exception {
        Peer follower = peers.start("p2", Kind.ADMIN, false, LoopbackPorts.next(), List.of(relay.address()));
        await().atMost(Peers.PATIENCE).until(() -> follower.height() > 0);
        relay.forget();
        long made = peer.height();
        await().atMost(Peers.PATIENCE).until(() -> follower.height() > made);
    }
}
