package dev.baton.duty.remote.admin;

import com.google.protobuf.ByteString;
import dev.baton.core.Hash;
import dev.baton.duty.remote.Ancestor;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Lease;
import dev.baton.duty.remote.Looked;
import dev.baton.duty.remote.PeerTime;
import dev.baton.duty.remote.RemoteSequencer;
import dev.baton.duty.remote.RemoteView;
import dev.baton.duty.remote.Started;
import dev.baton.duty.remote.Stopped;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.admin.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import dev.baton.wire.admin.v1.HealthRequest;
import dev.baton.wire.admin.v1.HealthResponse;
import dev.baton.wire.admin.v1.StartSequencerRequest;
import dev.baton.wire.admin.v1.StatusRequest;
import dev.baton.wire.admin.v1.StatusResponse;
import dev.baton.wire.admin.v1.StopSequencerRequest;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A sequencer that serves {@code evnode.admin.v1.ControlService}. */
public final class AdminApiSequencer implements RemoteSequencer {

    private final String address;
    private final Duration callTimeout;
    private final LeaseTokens tokens;
    private final ManagedChannel channel;

    /** @param credentials with a client certificate where the sequencer asks for one */
    public AdminApiSequencer(String address, ChannelCredentials credentials, Duration callTimeout, LeaseTokens tokens) {
        this.address = address;
        this.callTimeout = callTimeout;
        this.tokens = tokens;
        // Idle channels connect at the next call; gRPC's own retries would hide how long a call really took.
        this.channel =
                Grpc.newChannelBuilder(address, credentials).disableRetry().build();
    }

    /** A channel that could not connect waits for up to two minutes otherwise; pulses have their own pace. */
    private ControlServiceBlockingStub calls() {
        channel.resetConnectBackoff();
        return ControlServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(callTimeout)
                .withWaitForReady();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Looked look(BlockRef recorded) {
        try {
            StatusResponse status = calls().status(StatusRequest.getDefaultInstance());
            HealthResponse health = calls().health(HealthRequest.newBuilder()
                    .setAncestorNumber(recorded.number())
                    .build());
            return new Looked.Seen(new RemoteView(
                    status.getSequencerActive(),
                    new BlockRef(health.getL2Number(), hash(health.getL2Hash())),
                    health.getSafeNumber(),
                    ancestor(recorded, health),
                    OptionalLong.of(health.getPeerCount()),
                    health.getHealthy() ? Optional.empty() : Optional.of(problem(status, health)),
                    status.getIncarnation() == 0
                            ? Optional.empty()
                            : Optional.of(new PeerTime(status.getIncarnation(), status.getClockMillis()))));
        } catch (StatusRuntimeException e) {
            return new Looked.Silent(failed(e));
        } catch (IllegalArgumentException e) {
            return new Looked.Silent("it answered nonsense: " + e.getMessage());
        }
    }

    private static String problem(StatusResponse status, HealthResponse health) {
        String said = health.getLastErr().isEmpty() ? status.getLastErr() : health.getLastErr();
        return said.isEmpty() ? "it does not say why" : said;
    }

    private static Hash hash(ByteString bytes) {
        return bytes.isEmpty() ? Hash.ZERO : Hash.of(bytes.toByteArray());
    }

    private static Ancestor ancestor(BlockRef recorded, HealthResponse health) {
        if (!health.getAncestorHash().isEmpty()) {
            return new Ancestor.Has(hash(health.getAncestorHash()));
        }
        return health.getL2Number() < recorded.number() ? new Ancestor.Lacks() : new Ancestor.CannotTell();
    }

    @Override
    public Started start(BlockRef head, Lease lease) {
        try {
            var answer = calls().startSequencer(StartSequencerRequest.newBuilder()
                    .setFromUnsafeHead(true)
                    .setLeaseToken(tokens.issue(lease))
                    .setReason("term " + lease.epoch() + " of " + lease.holder())
                    .setRequester(lease.holder().value())
                    .build());
            return answer.getActivated()
                    ? new Started.Active()
                    : new Started.Refused("it answered that it was not activated");
        } catch (StatusRuntimeException e) {
            return switch (e.getStatus().getCode()) {
                case ALREADY_EXISTS -> new Started.Active();
                case PERMISSION_DENIED, UNAUTHENTICATED, FAILED_PRECONDITION, INVALID_ARGUMENT, UNIMPLEMENTED ->
                    new Started.Refused(failed(e));
                default -> new Started.Unknown(failed(e));
            };
        }
    }

    @Override
    public Stopped stop(Lease lease) {
        try {
            var answer = calls().stopSequencer(StopSequencerRequest.newBuilder()
                    .setLeaseToken(tokens.issue(lease))
                    .setReason("term " + lease.epoch() + " of " + lease.holder() + " is not this node's any more")
                    .setRequester(lease.holder().value())
                    .build());
            return answer.getStopped()
                    ? new Stopped.Agreed(Optional.empty())
                    : new Stopped.Refused("it answered that it did not stop");
        } catch (StatusRuntimeException e) {
            return switch (e.getStatus().getCode()) {
                case PERMISSION_DENIED, UNAUTHENTICATED, FAILED_PRECONDITION, INVALID_ARGUMENT, UNIMPLEMENTED ->
                    new Stopped.Refused(failed(e));
                default -> new Stopped.Unknown(failed(e));
            };
        }
    }

    /** Why, in words. A connection without an answer may carry nothing any more, so the next call opens another. */
    private String failed(StatusRuntimeException e) {
        Status status = e.getStatus();
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            channel.enterIdle();
            return "no answer in time";
        }
        return status.getCode() + " " + status.getDescription();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
