package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.BlockExchange;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.duty.sequencer.signing.BlockVerifier;
import java.util.List;
import java.util.function.Supplier;

/** Blocks from other nodes over gRPC: the holder's as they are published, and older ones by range. */
public final class GrpcBlockExchange implements BlockExchange {

    private final BlockFollower follower;
    private final PeerBlocks peerBlocks;

    /** @param peers the addresses of the other nodes, asked for anew each time */
    public GrpcBlockExchange(
            SeatId seat,
            Chain chain,
            BlockVerifier verifier,
            SequencerSettings settings,
            PeerChannels channels,
            Supplier<List<String>> peers) {
        this.follower = new BlockFollower(
                seat, chain, verifier, channels, settings.reconnectAfter(), settings.gossipSyncEvery());
        this.peerBlocks = new PeerBlocks(seat, chain, verifier, channels, peers, settings.peerTimeout());
    }

    @Override
    public void follow(Seating holder) {
        follower.follow(holder);
    }

    @Override
    public void unfollow() {
        follower.unfollow();
    }

    @Override
    public void fetchBelow(Height oldest) throws Exception {
        peerBlocks.fetchBelow(oldest);
    }

    @Override
    public void close() {
        follower.close();
    }
}
