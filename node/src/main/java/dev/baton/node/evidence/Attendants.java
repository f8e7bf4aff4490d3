package dev.baton.node.evidence;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import dev.baton.wire.node.v1.AttendResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Set;

/** Those who keep a connection to this process in order to notice its end. Thread-safe. */
public final class Attendants implements AutoCloseable {

    private final AttendResponse self;
    private final Set<StreamObserver<AttendResponse>> present = new HashSet<>();
    private boolean closed;

    public Attendants(ClusterId cluster, Holder self) {
        this.self = AttendResponse.newBuilder()
                .setCluster(cluster.value())
                .setNode(self.node().value())
                .setIncarnation(self.incarnation().value())
                .build();
    }

    /** Tells the newcomer who this is, and leaves the stream open. To be called while the call is being accepted. */
    public synchronized void admit(StreamObserver<AttendResponse> attendant) {
        if (attendant instanceof ServerCallStreamObserver<AttendResponse> call) {
            call.setOnCancelHandler(() -> left(attendant));
        }
        attendant.onNext(self);
        if (closed) {
            attendant.onCompleted();
        } else {
            present.add(attendant);
        }
    }

    private synchronized void left(StreamObserver<AttendResponse> attendant) {
        present.remove(attendant);
    }

    /** Says goodbye: a node that shuts down in order has resigned, and its end is no evidence. */
    @Override
    public synchronized void close() {
        closed = true;
        present.forEach(StreamObserver::onCompleted);
        present.clear();
    }
}
