package dev.baton.control.rpc;

import dev.baton.control.audit.ControlDuty;
import dev.baton.control.audit.Journal;
import dev.baton.control.seal.RecordSeals;
import dev.baton.core.Holder;
import dev.baton.core.Seating;
import dev.baton.wire.control.v1.RecordRequest;
import dev.baton.wire.control.v1.RecordServiceGrpc;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Brings records to whoever holds the seat "control", this node or another. */
final class Courier implements Journal.Delivery {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Holder self;
    private final Supplier<Optional<Seating>> holder;
    private final Function<String, Channel> channels;
    private final ControlDuty duty;
    private final RecordSeals seals;

    Courier(
            Holder self,
            Supplier<Optional<Seating>> holder,
            Function<String, Channel> channels,
            ControlDuty duty,
            RecordSeals seals) {
        this.self = self;
        this.holder = holder;
        this.channels = channels;
        this.duty = duty;
        this.seals = seals;
    }

    @Override
    public boolean deliver(List<String> records) throws InterruptedException {
        Optional<Seating> now = holder.get();
        if (now.isEmpty()) {
            return false;
        }
        if (now.get().term().holder().equals(self)) {
            try {
                return duty.submit(records).toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                return false;
            }
        }
        return !now.get().address().isEmpty() && send(now.get().address(), records);
    }

    private boolean send(String address, List<String> records) {
        try {
            var unused = RecordServiceGrpc.newBlockingStub(channels.apply(address))
                    .withDeadlineAfter(PATIENCE)
                    .record(RecordRequest.newBuilder()
                            .addAllRecords(records)
                            .setSeal(seals.seal(records))
                            .build());
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }
}
