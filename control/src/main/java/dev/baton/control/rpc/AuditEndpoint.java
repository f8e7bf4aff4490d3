package dev.baton.control.rpc;

import dev.baton.control.audit.Auditor;
import dev.baton.wire.control.v1.AuditServiceGrpc;
import dev.baton.wire.control.v1.ListRequest;
import dev.baton.wire.control.v1.ListResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** Reads from this node's book. */
final class AuditEndpoint extends AuditServiceGrpc.AuditServiceImplBase {

    private static final int MOST_LINES = 100;

    private final Auditor auditor;

    AuditEndpoint(Auditor auditor) {
        this.auditor = auditor;
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> answer) {
        ListResponse response;
        try {
            response = ListResponse.newBuilder()
                    .addAllLines(auditor.book().lines(Math.max(0, request.getFrom()), MOST_LINES))
                    .setCount(auditor.duty().count())
                    .setTip(auditor.duty().tip())
                    .setWaiting(auditor.waitingCount())
                    .build();
        } catch (IOException e) {
            answer.onError(Status.UNAVAILABLE
                    .withDescription("the book cannot be read: " + e)
                    .asException());
            return;
        }
        answer.onNext(response);
        answer.onCompleted();
    }
}
