package dev.baton.sim;

import dev.baton.core.Holder;
import dev.baton.core.SeatId;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.Duty;
import java.time.Duration;
import java.util.Optional;

/**
 * What is simulated: how many nodes serve the seat, with which duty, for how long, and how rough the world is.
 *
 * @param duties makes the duty of a process that just started; durable state is whatever the factory keeps
 * @param mutant a rule that is broken on purpose, to see that the judge notices
 * @param troubled how long faults are planted; afterwards the world is calm
 * @param calm how long the nodes get to recover; progress must resume within it
 */
public record Scenario(
        SeatId seat,
        int nodes,
        SeatTimings timings,
        Duties duties,
        Optional<Mutant> mutant,
        Faults faults,
        Duration troubled,
        Duration calm) {

    /** Makes duties, and tells the judge what they do. */
    @FunctionalInterface
    public interface Duties {
        Duty create(Holder self, Judge judge, World world);
    }

    /**
     * How often things go wrong, each as a probability per message or per second.
     *
     * @param lostMessage a request or its reply is lost
     * @param slowMessage a message takes up to a second
     * @param duplicated a request arrives once more, later
     * @param crashPerSecond a node dies, and comes back after a while as a new incarnation
     * @param pausePerSecond a node stands still for up to twice the takeover delay
     * @param cutPerSecond a node loses its connection to the engine for a while
     * @param restartPerSecond the engine restarts, keeping its data
     * @param dutyHangPerSecond a duty call hangs for up to twice the pulse timeout
     * @param falseEvidencePerSecond a follower takes a living holder's process for gone
     * @param dutyFailure a duty call fails
     * @param clockRateSpread how much faster or slower than the world clocks run at most
     */
    public record Faults(
            double lostMessage,
            double slowMessage,
            double duplicated,
            double crashPerSecond,
            double pausePerSecond,
            double cutPerSecond,
            double restartPerSecond,
            double dutyHangPerSecond,
            double falseEvidencePerSecond,
            double dutyFailure,
            double clockRateSpread) {

        public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        public static final Faults ROUGH = new Faults(0.03, 0.05, 0.05, 0.15, 0.15, 0.2, 0.1, 0.1, 0.1, 0.01, 0.004);
    }

    /** Three nodes, a pulse every 100 ms, twenty rough seconds and ten calm ones. */
    public static Scenario standard() {
        SeatTimings timings = new SeatTimings(
                Duration.ofMillis(100),
                Duration.ofMillis(200),
                SeatTimings.DEFAULT.policy(),
                Duration.ZERO,
                Duration.ofMillis(50),
                SeatTimings.DEFAULT.clockRateBound(),
                Optional.empty());
        return new Scenario(
                SeatId.of("sim", "seat"),
                3,
                timings,
                CountingDuty::new,
                Optional.empty(),
                Faults.ROUGH,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10));
    }

    public Scenario with(Mutant broken) {
        return new Scenario(seat, nodes, timings, duties, Optional.of(broken), faults, troubled, calm);
    }
}
