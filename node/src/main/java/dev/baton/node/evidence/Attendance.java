package dev.baton.node.evidence;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.wire.node.v1.AttendRequest;
import dev.baton.wire.node.v1.AttendResponse;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A call that stays open as long as the process at its other end lives. */
final class Attendance implements StreamObserver<AttendResponse> {

    private final ClusterId cluster;
    private final Holder holder;
    private final EvidenceCounts counts;
    private final ClientCall<AttendRequest, AttendResponse> call;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Ending ending;

    /** Where the holder answered; null until it has. */
    private @Nullable InetSocketAddress place;

    private Attendance(Channel channel, ClusterId cluster, Holder holder, EvidenceCounts counts) {
        this.cluster = cluster;
        this.holder = holder;
        this.counts = counts;
        this.call = channel.newCall(NodeServiceGrpc.getAttendMethod(), CallOptions.DEFAULT);
    }

    /** Attends the holder's process, and answers how that ended. Blocks for as long as it lasts. */
    static Ending attend(Channel channel, ClusterId cluster, Holder holder, EvidenceCounts counts)
            throws InterruptedException {
        Attendance attendance = new Attendance(channel, cluster, holder, counts);
        ClientCalls.asyncServerStreamingCall(
                attendance.call, AttendRequest.getDefaultInstance(), (StreamObserver<AttendResponse>) attendance);
        try {
            attendance.ended.await();
        } finally {
            attendance.end(new Ending.NeverAttended("given up"));
            attendance.call.cancel("no longer needed", null);
        }
        return attendance.ending();
    }

    @Override
    public synchronized void onNext(AttendResponse who) {
        if (ending != null) {
            return;
        }
        if (!isHolder(who)) {
            end(new Ending.NeverAttended(who.getNode() + " of cluster " + who.getCluster() + ", incarnation "
                    + new Incarnation(who.getIncarnation()) + ", answers in its place"));
        } else if (call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote) {
            place = remote;
            counts.attendedOne();
        } else {
            end(new Ending.NeverAttended("the connection is not one of TCP"));
        }
    }

    private boolean isHolder(AttendResponse who) {
        return who.getCluster().equals(cluster.value())
                && who.getNode().equals(holder.node().value())
                && who.getIncarnation() == holder.incarnation().value();
    }

    @Override
    public synchronized void onError(Throwable failure) {
        // Only this status can mean that the connection is gone; the others are about the call.
        boolean closed = Status.fromThrowable(failure).getCode() == Status.Code.UNAVAILABLE;
        end(place != null && closed ? new Ending.Closed(place) : new Ending.NeverAttended(failure.toString()));
    }

    @Override
    public synchronized void onCompleted() {
        end(new Ending.Farewell());
    }

    /** The first end counts: what follows, such as our own cancelling, changes nothing. */
    private synchronized void end(Ending how) {
        if (ending == null) {
            ending = how;
            if (place != null) {
                counts.leftOne();
            }
            ended.countDown();
        }
    }

    private synchronized Ending ending() {
        return Objects.requireNonNull(ending);
    }
}
