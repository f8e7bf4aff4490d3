package dev.baton.sim;

import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.SeatId;
import dev.baton.core.timing.SeatTimings;
import java.time.Duration;
import java.util.Optional;

/**
 * What is simulated: how many nodes serve the seat, on which engine, with which duty, for how long, and how rough the
 * world is.
 *
 * @param duties makes the duty of a process that just started
 * @param mutant a rule that is broken on purpose, to see that the judge notices
 * @param troubled how long faults are planted; afterwards the world is calm
 * @param calm how long the nodes get to recover; progress must resume within it
 */
public record Scenario(
        SeatId seat,
        int nodes,
        Engine engine,
        SeatTimings timings,
        DutyFactory duties,
        Optional<Mutant> mutant,
        Faults faults,
        Duration troubled,
        Duration calm) {

    /**
     * How often things go wrong, each as a probability per message or per second.
     *
     * @param lostMessage a request to the engine in memory or its reply is lost
     * @param slowMessage a message to or from it takes up to a second
     * @param duplicated a request to it arrives once more, later
     * @param crashPerSecond a node dies, and comes back after a while as a new incarnation
     * @param pausePerSecond a node stands still for up to twice the takeover delay
     * @param cutPerSecond a node loses its connection to the engine for a while
     * @param restartPerSecond the engine in memory restarts, keeping its data
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

        /** Everybody takes everybody else for dead, all the time: terms are short, and seldom end in order. */
        public static final Faults CONTENDED = new Faults(0.03, 0.05, 0.05, 0.05, 0.15, 0.1, 0.1, 0.1, 1.5, 0.01, 0.004);
    }

    private static final int[] REDIS_SIZES = {3, 5, 3, 1, 3, 2, 5, 3, 4, 7};

    /** Three nodes on the engine in memory, a pulse every 100 ms, twenty rough seconds and ten calm ones. */
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
                new Engine.Memory(),
                timings,
                (self, world, judge) -> new CountingDuty(self),
                Optional.empty(),
                Faults.ROUGH,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10));
    }

    /** Three nodes on so many Redis nodes. */
    public static Scenario redis(int redisNodes, Fsync fsync) {
        return redis(new Engine.Redis(redisNodes, 0, fsync, false, false, RedisFaults.ROUGH));
    }

    /** Three nodes on Redis, fifteen rough seconds and six calm ones. */
    public static Scenario redis(Engine.Redis engine) {
        return standard().on(engine).lasting(Duration.ofSeconds(15), Duration.ofSeconds(6));
    }

    /** The world of this seed on that kind of engine: seeds visit all sizes and settings in turn. */
    public static Scenario of(Engine.Kind kind, long seed) {
        return switch (kind) {
            case MEMORY -> standard();
            case REDIS -> {
                int size = REDIS_SIZES[(int) Math.floorMod(seed, (long) REDIS_SIZES.length)];
                long choice = Math.floorDiv(seed, (long) REDIS_SIZES.length);
                yield redis(new Engine.Redis(
                        size,
                        Math.floorMod(choice, 3L) == 1 ? Math.min(2, MemberSet.MOST - size) : 0,
                        Math.floorMod(choice, 2L) == 0 ? Fsync.LATER : Fsync.ALWAYS,
                        Math.floorMod(choice, 4L) == 0,
                        Math.floorMod(choice, 3L) == 0,
                        redisFaults(choice)));
            }
        };
    }

    private static RedisFaults redisFaults(long choice) {
        return switch ((int) Math.floorMod(choice, 5L)) {
            case 1 -> RedisFaults.LOSSY;
            case 3 -> RedisFaults.CLOCKS_SET;
            default -> RedisFaults.ROUGH;
        };
    }

    /** Runs this scenario as the seed has it. Takes a fraction of a second. */
    public Outcome run(long seed) {
        return Simulation.run(this, seed);
    }

    public Scenario lasting(Duration rough, Duration quiet) {
        return new Scenario(seat, nodes, engine, timings, duties, mutant, faults, rough, quiet);
    }

    public Scenario on(Engine other) {
        return new Scenario(seat, nodes, other, timings, duties, mutant, faults, troubled, calm);
    }

    public Scenario with(DutyFactory other) {
        return new Scenario(seat, nodes, engine, timings, other, mutant, faults, troubled, calm);
    }

    public Scenario with(Faults other) {
        return new Scenario(seat, nodes, engine, timings, duties, mutant, other, troubled, calm);
    }

    public Scenario with(Mutant broken) {
        return new Scenario(seat, nodes, engine, timings, duties, Optional.of(broken), faults, troubled, calm);
    }
}
