package dev.baton.node.switchover;

import dev.baton.core.NodeId;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.node.ServedSeat;
import dev.baton.node.presence.Handoffs;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Moves a primary to another node: its standby is made complete first, then the server here is stopped in order and the
 * seat handed over. Blocks; nothing changes if it is refused.
 */
public final class Switchover {

    /** A standby that streams becomes complete within a few pulses. */
    private static final Duration COMPLETE_WITHIN = Duration.ofSeconds(10);

    private static final long BETWEEN_LOOKS_MILLIS = 20;

    private Switchover() {}

    public static Handoffs.Outcome run(
            Handoffs handoffs, ServedSeat seat, PostgresDuty duty, NodeId to, Duration validFor)
            throws InterruptedException {
        duty.want(to.value());
        try {
            long giveUpNanos = System.nanoTime() + COMPLETE_WITHIN.toNanos();
            // The other node learns a moment after this one that it has everything, and must know it itself.
            while (seat.status().leads()) {
                Optional<String> objection = duty.isComplete(to.value())
                        ? handoffs.objection(seat.status(), to)
                        : Optional.of("to: " + to + " may lack commits that clients were told of (expected: a standby"
                                + " that streams, and has everything within " + COMPLETE_WITHIN + "; complete: "
                                + String.join(", ", duty.record().complete()) + ")");
                if (objection.isEmpty()) {
                    break;
                }
                if (System.nanoTime() - giveUpNanos > 0) {
                    return new Handoffs.Outcome.Refused(objection.get());
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
            }
            return handoffs.handOff(seat.joined(), to, validFor);
        } finally {
            duty.want("");
        }
    }
}
