package dev.baton.duty.remote;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.remote.admin.AdminApiSequencer;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import dev.baton.duty.remote.opstack.OpStackSequencer;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import io.grpc.InsecureChannelCredentials;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A node in a process of its own beside a sequencer, for tests that freeze or kill it. */
final class LoneSidecar {

    static final SeatId SEAT = SeatId.of("test", "blocks");

    static final SeatTimings TIMINGS = new SeatTimings(
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            PulsePolicy.DEFAULT,
            Duration.ofSeconds(2),
            Duration.ofMillis(300),
            new BigDecimal("1.01"),
            Optional.empty());

    private LoneSidecar() {}

    static RemoteSettings settings(String node) {
        return new RemoteSettings(
                new NodeId(node), Peers.CALL_TIMEOUT, Duration.ofSeconds(5), 0, Duration.ofMillis(300), false, false);
    }

    /** Arguments: key file, and the address of a sequencer, which is a URL if it is an OP Stack node's. */
    public static void main(String[] arguments) throws Exception {
        RemoteSequencer remote = arguments[1].startsWith("http")
                ? new OpStackSequencer(URI.create(arguments[1]), Peers.CALL_TIMEOUT)
                : new AdminApiSequencer(
                        arguments[1],
                        InsecureChannelCredentials.create(),
                        Peers.CALL_TIMEOUT,
                        new LeaseTokens(LeaseKey.read(Path.of(arguments[0]))));
        RemoteDuty duty = RemoteDuty.open(SEAT, remote, settings("n1"), TIMINGS);
        MemoryEngine engine = new MemoryEngine(TIMINGS.takeoverDelay());
        JoinedSeat seat = Seat.of(SEAT).contender("n1").timings(TIMINGS).join(engine.connect(new NodeId("n1")), duty);
        var unused = System.in.read(); // until the test closes the pipe
        seat.close();
        duty.close();
    }
}
