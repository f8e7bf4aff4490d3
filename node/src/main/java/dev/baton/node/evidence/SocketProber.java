package dev.baton.node.evidence;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import dev.baton.wire.node.v1.Presence;
import dev.baton.wire.node.v1.StatusRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;

/** Probes with new connections: a bare one that shows a refusal as such, then one that asks who answers. */
final class SocketProber implements Prober {

    private final ClusterId cluster;
    private final Supplier<ManagedChannel> channels;

    SocketProber(ClusterId cluster, Supplier<ManagedChannel> channels) {
        this.cluster = cluster;
        this.channels = channels;
    }

    @Override
    public Finding probe(InetSocketAddress place, Duration patience) {
        long untilNanos = System.nanoTime() + patience.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(place, (int) Math.max(1, patience.toMillis()));
        } catch (ConnectException e) {
            // Java says the same of a connection that the kernel gave up, but that takes a second at the least: our own
            // timeout is another exception, and comes first.
            return new Finding.Refused();
        } catch (IOException e) {
            return new Finding.Unclear(e.toString());
        }
        return ask(Duration.ofNanos(untilNanos - System.nanoTime()));
    }

    private Finding ask(Duration patience) {
        ManagedChannel channel = channels.get();
        try {
            Presence by = NodeServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(patience)
                    .status(StatusRequest.getDefaultInstance())
                    .getPresence();
            return by.getCluster().equals(cluster.value())
                    ? new Finding.Answered(new Holder(new NodeId(by.getNode()), new Incarnation(by.getIncarnation())))
                    : new Finding.Unclear("a node of cluster " + by.getCluster() + " answers in its place");
        } catch (StatusRuntimeException | IllegalArgumentException e) {
            return new Finding.Unclear(e.toString());
        } finally {
            channel.shutdownNow();
        }
    }
}
