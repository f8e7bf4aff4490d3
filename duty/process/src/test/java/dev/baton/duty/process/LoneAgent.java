package dev.baton.duty.process;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.process.Ladder;
import dev.baton.process.Rung;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node in a process of its own that runs a script under a seat, for tests that freeze or kill it. */
final class LoneAgent {

    static final SeatTimings TIMINGS = new SeatTimings(
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            PulsePolicy.DEFAULT,
            Duration.ofSeconds(1),
            Duration.ofMillis(300),
            new BigDecimal("1.01"),
            Optional.empty());

    private LoneAgent() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        List<String> script = List.of("bash", "-c", arguments[1]);
        List<String> probe = List.of("bash", "-c", "test ! -e sick");
        boolean polite = arguments[2].equals("polite");
        ProcessSettings settings = new ProcessSettings(
                script,
                Optional.empty(),
                Optional.of(probe),
                Optional.empty(),
                List.of(),
                Duration.ofMillis(500),
                folder);
        SeatId id = SeatId.of("test", "work");
        Ladder onlyPolite = new Ladder(List.of(new Rung.Signal("polite", "TERM", Duration.ofMillis(500))));
        ProcessDuty duty = ProcessDuty.open(id, settings, TIMINGS, polite ? onlyPolite : settings.ladder());
        MemoryEngine engine = new MemoryEngine(TIMINGS.takeoverDelay());
        JoinedSeat seat = Seat.of(id).contender("n1").timings(TIMINGS).join(engine.connect(new NodeId("n1")), duty);
        var unused = System.in.read(); // until the test closes the pipe
        seat.close();
        duty.close();
    }
}
