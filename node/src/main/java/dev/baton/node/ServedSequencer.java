package dev.baton.node;

import dev.baton.control.ControlledSeat.HeadFacts;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.RollingHashExecutor;
import dev.baton.duty.sequencer.SequencerParts;
import dev.baton.duty.sequencer.SequencerStatistics;
import dev.baton.duty.sequencer.Submitter;
import dev.baton.duty.sequencer.availability.DataAvailability;
import dev.baton.duty.sequencer.availability.LocalFileDataAvailability;
import dev.baton.duty.sequencer.rpc.GrpcSequencer;
import dev.baton.duty.sequencer.signing.Ed25519;
import dev.baton.duty.sequencer.signing.KeyRing;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.presence.PeerChannels;
import io.grpc.BindableService;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sequencer as a node serves it: store, key and published blocks in the node's data folder. */
final class ServedSequencer implements ServedDuty {

    private final GrpcSequencer sequencer;
    private final DataAvailability availability;

    private ServedSequencer(GrpcSequencer sequencer, DataAvailability availability) {
        this.sequencer = sequencer;
        this.availability = availability;
    }

    static ServedSequencer open(SeatId seat, SeatConfig seatConfig, NodeConfig config, DataFolder folder)
            throws NodeFailure {
        try {
            LocalEd25519Signer signer =
                    LocalEd25519Signer.loadOrCreate(config.node(), seat.era(), keyFile(config.data()));
            KeyRing keys = keys(seatConfig, config.node(), signer.publicKey());
            Path published = seatConfig.sequencer().dataAvailability().orElse(folder.sub("da"));
            DataAvailability availability =
                    LocalFileDataAvailability.open(published.resolve(seat.seat() + ".da"), seat);
            try {
                return new ServedSequencer(
                        open(
                                seat,
                                seatConfig,
                                config,
                                folder,
                                new SequencerParts(
                                        signer, keys, new RollingHashExecutor(), availability, InstantSource.system())),
                        availability);
            } catch (Exception e) {
                availability.close();
                throw e;
            }
        } catch (NodeFailure e) {
            throw e;
        } catch (Exception e) {
            throw new NodeFailure(ExitCode.DATA_FOLDER, "seat " + seat.seat() + ": " + e.getMessage(), e);
        }
    }

    private static GrpcSequencer open(
            SeatId seat, SeatConfig seatConfig, NodeConfig config, DataFolder folder, SequencerParts parts)
            throws Exception {
        List<String> peers = config.others().values().stream()
                .map(peer -> peer.grpc().toString())
                .toList();
        return GrpcSequencer.open(
                seat,
                config.node(),
                seatConfig.sequencer().settings(),
                folder.sub("blocks").resolve(seat.seat().value()),
                parts,
                () -> peers,
                new dev.baton.duty.sequencer.rpc.PeerChannels(PeerChannels.factory(config.tls())));
    }

    /** Where a node keeps its signing key, for whoever prepares a cluster. */
    static Path keyFile(Path data) {
        return data.resolve("signing-key");
    }

    /** Without any signers configured, this node believes itself alone: enough for a cluster of one. */
    private static KeyRing keys(SeatConfig seat, NodeId self, PublicKey own) throws NodeFailure {
        Map<NodeId, PublicKey> keys = new HashMap<>();
        seat.sequencer().signers().forEach((node, text) -> keys.put(node, Ed25519.parsePublicKey(text)));
        PublicKey expected = keys.putIfAbsent(self, own);
        if (expected != null && !expected.equals(own)) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION,
                    "seats: " + seat.name() + ": sequencer.signers." + self + ": " + Ed25519.toText(expected)
                            + " (expected: " + Ed25519.toText(own) + ", the public half of this node's signing-key)");
        }
        return KeyRing.of(keys).withEarlierErasUpTo(seat.eraBase());
    }

    @Override
    public String kind() {
        return SeatConfig.SEQUENCER;
    }

    @Override
    public Duty duty() {
        return sequencer.duty();
    }

    @Override
    public List<BindableService> services() {
        return List.of(sequencer.endpoint());
    }

    @Override
    public Optional<Chain> chain() {
        return Optional.of(sequencer.chain());
    }

    @Override
    public Optional<Submitter> submitter() {
        return Optional.of(sequencer.submitter());
    }

    @Override
    public Figures figures() {
        SequencerStatistics now = sequencer.statistics();
        return new Figures(now.safeHead(), now.backlog(), now.pending(), now.publishLatency());
    }

    @Override
    public HeadFacts headFacts() {
        SequencerStatistics now = sequencer.statistics();
        return new HeadFacts(now.origin(), now.layerHeight(), now.safeHead().value(), now.headTimeMillis());
    }

    @Override
    public void close() {
        sequencer.close();
        availability.close();
    }
}
