package dev.baton.control.rpc;

import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.ControlDuty;
import dev.baton.control.seal.RecordSeals;
import dev.baton.wire.control.v1.RecordRequest;
import dev.baton.wire.control.v1.RecordResponse;
import dev.baton.wire.control.v1.RecordServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** Takes the records of other nodes, if this one holds the seat "control". Nothing here blocks. */
final class RecordEndpoint extends RecordServiceGrpc.RecordServiceImplBase {

    private final ControlDuty duty;
    private final RecordSeals seals;

    RecordEndpoint(ControlDuty duty, RecordSeals seals) {
        this.duty = duty;
        this.seals = seals;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the answer is given in the callback
    public void record(RecordRequest request, StreamObserver<RecordResponse> answer) {
        if (!seals.isSealed(request.getRecordsList(), request.getSeal())) {
            answer.onError(Status.PERMISSION_DENIED
                    .withDescription("the records' seal is not this cluster's")
                    .asException());
            return;
        }
        try {
            request.getRecordsList().forEach(AuditRecord::ofJson);
        } catch (IllegalArgumentException e) {
            answer.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asException());
            return;
        }
        duty.submit(request.getRecordsList()).whenComplete((committed, defect) -> {
            if (defect == null && committed) {
                answer.onNext(RecordResponse.getDefaultInstance());
                answer.onCompleted();
            } else {
                answer.onError(Status.UNAVAILABLE
                        .withDescription("this node does not hold the seat \"control\"")
                        .asException());
            }
        });
    }
}
