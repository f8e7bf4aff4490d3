package dev.baton.node;

import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.Duty;
import dev.baton.duty.remote.Looked;
import dev.baton.duty.remote.RemoteDuty;
import dev.baton.duty.remote.RemoteSequencer;
import dev.baton.duty.remote.RemoteView;
import dev.baton.duty.remote.admin.AdminApiSequencer;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import dev.baton.duty.remote.opstack.OpStackSequencer;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.RemoteConfig;
import dev.baton.node.config.SeatConfig;
import dev.baton.node.metrics.NodeMetrics;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** A sequencer of another process as a node serves it: clients talk to the sequencer itself. */
final class ServedRemote implements ServedDuty {

    private final SeatConfig seat;
    private final RemoteDuty duty;

    private ServedRemote(SeatConfig seat, RemoteDuty duty) {
        this.seat = seat;
        this.duty = duty;
    }

    static ServedRemote open(SeatId id, SeatConfig seat, NodeConfig config) throws NodeFailure {
        try {
            return new ServedRemote(
                    seat,
                    RemoteDuty.open(
                            id,
                            connect(seat.remote()),
                            seat.remote().settings(config.node(), seat.timings()),
                            seat.timings()));
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.CONFIGURATION, "seats: " + seat.name() + ": " + e.getMessage(), e);
        }
    }

    private static RemoteSequencer connect(RemoteConfig remote) throws IOException {
        return switch (remote.speaks()) {
            case ADMIN ->
                new AdminApiSequencer(
                        remote.address(),
                        credentials(remote.tls()),
                        remote.timeout(),
                        new LeaseTokens(LeaseKey.read(remote.key().orElseThrow())));
            case OP_STACK -> new OpStackSequencer(URI.create(remote.address()), remote.timeout());
        };
    }

    static ChannelCredentials credentials(Optional<NodeConfig.Tls> tls) throws IOException {
        if (tls.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        return TlsChannelCredentials.newBuilder()
                .keyManager(tls.get().certificate().toFile(), tls.get().key().toFile())
                .trustManager(tls.get().trust().toFile())
                .build();
    }

    @Override
    public String kind() {
        return SeatConfig.REMOTE;
    }

    @Override
    public Duty duty() {
        return duty;
    }

    @Override
    public void listen(NodeMetrics metrics) {
        metrics.add(seat.name().value(), duty);
    }

    /** What is in the ledger is safe; the backlog is what the sequencer made since. */
    @Override
    public Figures figures() {
        long recorded = duty.record().head().number();
        long head = duty.lastLook() instanceof Looked.Seen(RemoteView view)
                ? view.head().number()
                : recorded;
        return new Figures(new Height(recorded), Math.max(0, head - recorded), 0, Duration.ZERO);
    }

    @Override
    public void close() {
        duty.close();
    }
}
