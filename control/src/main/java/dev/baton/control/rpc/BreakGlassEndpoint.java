package dev.baton.control.rpc;

import static dev.baton.control.rpc.ControlEndpoint.refused;

import dev.baton.control.access.Call;
import dev.baton.control.state.BreakGlass;
import dev.baton.wire.control.v1.BreakGlassServiceGrpc;
import dev.baton.wire.control.v1.BreakRequest;
import dev.baton.wire.control.v1.BreakResponse;
import dev.baton.wire.control.v1.MendRequest;
import dev.baton.wire.control.v1.MendResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Breaks and mends the glass. */
final class BreakGlassEndpoint extends BreakGlassServiceGrpc.BreakGlassServiceImplBase {

    private final BreakGlass glass;
    private final Deeds deeds;

    BreakGlassEndpoint(BreakGlass glass, Deeds deeds) {
        this.glass = glass;
        this.deeds = deeds;
    }

    @Override
    public void break_(BreakRequest request, StreamObserver<BreakResponse> answer) {
        deeds.run(
                new Deeds.Asked(Call.BREAK, request, request.getRequester(), request.getReason(), "", Optional.empty()),
                BreakResponse.parser(),
                answer,
                (caller, begin) -> {
                    if (request.getReason().isBlank()) {
                        throw refused(Status.INVALID_ARGUMENT, "reason: missing (expected: why the glass is broken)");
                    }
                    Duration howLong =
                            request.getSeconds() == 0 ? BreakGlass.USUAL : Duration.ofSeconds(request.getSeconds());
                    if (howLong.isNegative() || howLong.compareTo(BreakGlass.LONGEST) > 0) {
                        throw refused(
                                Status.INVALID_ARGUMENT,
                                "seconds: " + Integer.toUnsignedString(request.getSeconds()) + " (expected: 1 to "
                                        + BreakGlass.LONGEST.toSeconds() + ")");
                    }
                    begin.now();
                    try {
                        return BreakResponse.newBuilder()
                                .setUntilMillis(glass.breakIt(caller.identity(), request.getReason(), howLong)
                                        .untilMillis())
                                .build();
                    } catch (IOException e) {
                        throw refused(Status.UNAVAILABLE, "it cannot be written down: " + e);
                    }
                });
    }

    @Override
    public void mend(MendRequest request, StreamObserver<MendResponse> answer) {
        deeds.run(
                new Deeds.Asked(Call.MEND, request, request.getRequester(), "", "", Optional.empty()),
                MendResponse.parser(),
                answer,
                (caller, begin) -> {
                    begin.now();
                    try {
                        return MendResponse.newBuilder()
                                .setWasOpen(glass.mend())
                                .build();
                    } catch (IOException e) {
                        throw refused(Status.UNAVAILABLE, "it cannot be written down: " + e);
                    }
                });
    }
}
