package dev.baton.control.rpc;

import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.control.ControlledNode;
import dev.baton.control.ControlledSeat;
import dev.baton.control.seal.ClusterKey;
import dev.baton.core.Holder;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.core.standing.Readiness;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Nodes with a control plane each, over one engine in memory, all in this process. */
final class ControlledCluster implements AutoCloseable {

    /** Leases long enough for a machine that is busy with other things. */
    static final SeatTimings TIMES = new SeatTimings(
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            PulsePolicy.DEFAULT,
            Duration.ZERO,
            Duration.ofMillis(50),
            new BigDecimal("1.01"),
            Optional.empty());

    static final Limits GENEROUS = new Limits(16 << 10, 1_000_000, 1_000_000, 1_000);

    private static final SeatId BLOCKS = SeatId.of("demo", "blocks");
    private static final SeatId CONTROL = SeatId.of("demo", "control");

    private final Path folder;
    private final MemoryEngine engine = new MemoryEngine(TIMES.takeoverDelay());
    private final Map<String, Steered> nodes = new LinkedHashMap<>();
    private final List<ManagedChannel> channels = new CopyOnWriteArrayList<>();

    private final class Steered implements ControlledNode, AutoCloseable {
        private final Holder self;
        private final MemoryAuthority authority;
        private final ControlPlane plane;
        private final Server own;
        private final JoinedSeat blocks;
        private final JoinedSeat control;
        private volatile Optional<String> unfit = Optional.empty();
        private volatile long safeHeight = Long.MAX_VALUE;

        Steered(String name, Optional<Path> policy, Optional<ControlPlane.Tls> tls, Limits limits) throws IOException {
            Path data = folder.resolve(name);
            self = Seat.newHolder(new NodeId(name));
            authority = engine.connect(self.node());
            plane = ControlPlane.open(
                    new ControlPlane.Settings(loopback(), key(), policy, tls, limits),
                    data,
                    List.of(new SeatName("blocks"), new SeatName("control")));
            own = NettyServerBuilder.forAddress(loopback(), InsecureServerCredentials.create())
                    .addService(plane.recordService())
                    .build()
                    .start();
            blocks = seat(BLOCKS).join(authority, holding -> new CountDownLatch(1).await());
            control = seat(CONTROL).join(authority, plane.duty());
            plane.stops().of(new SeatName("blocks")).ifPresent(stop -> blocks.pause(stop.toString()));
            plane.listen(this, self, data, () -> control.status().currentHolder(), this::connect);
        }

        private Seat seat(SeatId id) {
            return Seat.of(id)
                    .contender(self)
                    .reachableAt("127.0.0.1:" + own.getPort())
                    .timings(TIMES)
                    .onCannotStop(why -> {
                        throw new AssertionError(why);
                    });
        }

        private ManagedChannel connect(String address) {
            return keep(NettyChannelBuilder.forTarget(address).usePlaintext().build());
        }

        @Override
        public NodeId self() {
            return self.node();
        }

        @Override
        public String version() {
            return "1.2.3";
        }

        @Override
        public int peerCount() {
            return nodes.size() - 1;
        }

        @Override
        public Optional<ControlledSeat> seat(Optional<String> name) {
            return name.filter(given -> !given.equals("blocks")).isPresent()
                    ? Optional.empty()
                    : Optional.of(new ControlledSeat(
                            blocks,
                            () -> new ControlledSeat.HeadFacts("layer-7", 7, safeHeight, 1_000),
                            Readiness.Ready::new));
        }

        @Override
        public Optional<String> unfit(ControlledSeat seat, NodeId target) {
            return nodes.containsKey(target.value()) ? unfit : Optional.of("to: " + target + " is not known");
        }

        @Override
        public String controlAddressOf(NodeId node) {
            return "127.0.0.1:"
                    + Objects.requireNonNull(nodes.get(node.value())).plane.port();
        }

        @Override
        public void close() {
            plane.close();
            blocks.close();
            control.close();
            own.shutdownNow();
            authority.close();
        }
    }

    ControlledCluster(Path folder) throws IOException {
        this.folder = folder;
        ClusterKey.createIfAbsent(key());
    }

    Path key() {
        return folder.resolve("cluster.key");
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Starts a node that everybody on this machine may steer. */
    ControlledCluster start(String name) throws IOException {
        return start(name, Optional.empty(), Optional.empty(), GENEROUS);
    }

    ControlledCluster start(String name, Optional<Path> policy, Optional<ControlPlane.Tls> tls, Limits limits)
            throws IOException {
        nodes.put(name, new Steered(name, policy, tls, limits));
        return this;
    }

    void stop(String name) {
        Objects.requireNonNull(nodes.remove(name)).close();
    }

    void cut(String name) {
        node(name).authority.cut();
    }

    private Steered node(String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    JoinedSeat blocks(String name) {
        return node(name).blocks;
    }

    JoinedSeat control(String name) {
        return node(name).control;
    }

    ControlPlane plane(String name) {
        return node(name).plane;
    }

    void unfit(String name, String why) {
        node(name).unfit = Optional.of(why);
    }

    void safeHeight(String name, long height) {
        node(name).safeHeight = height;
    }

    void awaitLeader(String name) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            engine.tick();
            return blocks(name).status().leads();
        });
    }

    /** Somebody keeps the audit. */
    void awaitAudit() {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            engine.tick();
            return nodes.values().stream()
                    .anyMatch(node -> node.control.status().leads());
        });
    }

    ManagedChannel channel(String name) {
        return channel(name, InsecureChannelCredentials.create());
    }

    ManagedChannel channel(String name, ChannelCredentials credentials) {
        return keep(NettyChannelBuilder.forAddress("127.0.0.1", node(name).plane.port(), credentials)
                .build());
    }

    private ManagedChannel keep(ManagedChannel channel) {
        channels.add(channel);
        return channel;
    }

    ControlServiceGrpc.ControlServiceBlockingStub stub(String name) {
        return ControlServiceGrpc.newBlockingStub(channel(name));
    }

    StatusResponse status(String name) {
        return stub(name).status(StatusRequest.getDefaultInstance());
    }

    @Override
    public void close() {
        nodes.values().forEach(Steered::close);
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
