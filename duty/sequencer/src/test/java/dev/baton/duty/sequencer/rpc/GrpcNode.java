package dev.baton.duty.sequencer.rpc;

import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.duty.sequencer.RollingHashExecutor;
import dev.baton.duty.sequencer.SequencerDuty;
import dev.baton.duty.sequencer.SequencerParts;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.duty.sequencer.availability.LocalFileDataAvailability;
import dev.baton.duty.sequencer.fixture.Blocks;
import dev.baton.duty.sequencer.fixture.FakeLedger;
import dev.baton.duty.sequencer.fixture.HandDriver;
import dev.baton.duty.sequencer.fixture.HandTenure;
import dev.baton.duty.sequencer.signing.KeyRing;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A sequencer with a gRPC server on a free port; its seat is driven by hand. */
final class GrpcNode implements AutoCloseable {

    final NodeId id;
    final GrpcSequencer sequencer;
    final SequencerDuty duty;
    final HandDriver driver;
    final List<String> peers = new CopyOnWriteArrayList<>();
    private final LocalFileDataAvailability availability;
    private Server server;

    GrpcNode(String name, Path folder, FakeLedger ledger, Map<NodeId, PublicKey> keys, SequencerSettings settings)
            throws Exception {
        this.id = new NodeId(name);
        LocalEd25519Signer signer = LocalEd25519Signer.loadOrCreate(id, Era.FIRST, folder.resolve(name + ".key"));
        keys.put(id, signer.publicKey());
        KeyRing ring = node -> Optional.ofNullable(keys.get(node));
        this.availability = LocalFileDataAvailability.open(folder.resolve(name + ".da"), Blocks.SEAT);
        this.sequencer = GrpcSequencer.open(
                Blocks.SEAT,
                id,
                settings,
                folder.resolve(name),
                new SequencerParts(signer, ring, new RollingHashExecutor(), availability, Clock.systemUTC()),
                () -> peers,
                PeerChannels.plaintext());
        this.duty = sequencer.duty();
        this.driver = new HandDriver(id, duty, ledger);
        this.server = serve(0);
    }

    private Server serve(int port) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .addService(sequencer.endpoint())
                .build()
                .start();
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /** The same port again, after every connection was cut. */
    void restartServer() throws Exception {
        int port = server.getPort();
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server = serve(port);
    }

    Seating seating(HandTenure tenure) {
        return new Seating(tenure.term(), address());
    }

    @Override
    public void close() throws Exception {
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        sequencer.close();
        availability.close();
    }
}
