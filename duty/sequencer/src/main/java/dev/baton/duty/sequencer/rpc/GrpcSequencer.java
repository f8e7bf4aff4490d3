package dev.baton.duty.sequencer.rpc;

import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.Sequencer;
import dev.baton.duty.sequencer.SequencerDuty;
import dev.baton.duty.sequencer.SequencerParts;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.duty.sequencer.SequencerStatistics;
import dev.baton.duty.sequencer.Submitter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A whole sequencer for one node: the duty for the seat's driver, the endpoint for the node's gRPC server. */
public final class GrpcSequencer implements AutoCloseable {

    private final Sequencer sequencer;
    private final PeerChannels channels;
    private final Submitter submitter;
    private final SequencerEndpoint endpoint;
    private final ExecutorService streams;

    private GrpcSequencer(Sequencer sequencer, PeerChannels channels, SequencerSettings settings) {
        this.sequencer = sequencer;
        this.channels = channels;
        SequencerDuty duty = sequencer.duty();
        this.submitter = settings.forward() ? new ForwardingSubmitter(duty, channels, settings.peerTimeout()) : duty;
        this.streams = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("block-stream-", 0).factory());
        this.endpoint = new SequencerEndpoint(sequencer.chain(), duty, submitter, streams);
    }

    /**
     * Opens the block store and rebuilds the state from it.
     *
     * @param folder where this node keeps its blocks; nobody else may use it
     * @param peers the addresses of the other nodes' gRPC servers
     * @param channels closed together with the sequencer
     */
    public static GrpcSequencer open(
            SeatId seat,
            NodeId self,
            SequencerSettings settings,
            Path folder,
            SequencerParts parts,
            Supplier<List<String>> peers,
            PeerChannels channels)
            throws Exception {
        return new GrpcSequencer(
                Sequencer.open(
                        seat,
                        self,
                        settings,
                        folder,
                        parts,
                        (chain, verifier) -> new GrpcBlockExchange(seat, chain, verifier, settings, channels, peers)),
                channels,
                settings);
    }

    public SequencerDuty duty() {
        return sequencer.duty();
    }

    /** The blocks that this node has; for HTTP and the like. */
    public Chain chain() {
        return sequencer.chain();
    }

    /** Takes transactions wherever the seat is held, as far as the settings allow; for HTTP and the like. */
    public Submitter submitter() {
        return submitter;
    }

    /** To be added to the node's gRPC server. */
    public SequencerEndpoint endpoint() {
        return endpoint;
    }

    public SequencerStatistics statistics() {
        return duty().statistics().withFollowers(endpoint.followers());
    }

    /** Stop the gRPC server first: its streams read from the store that is closed here. */
    @Override
    public void close() {
        sequencer.close();
        channels.close();
        streams.shutdownNow();
    }
}
