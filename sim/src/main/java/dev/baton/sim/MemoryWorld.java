package dev.baton.sim;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.memory.Fault;
import dev.baton.authority.memory.FaultPlan;
import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Simulated processes around the engine in memory. */
final class MemoryWorld implements SimEngine {

    private final Scenario scenario;
    private final World world;
    private final FaultDice dice;
    private final MemoryEngine engine;
    private final List<MemoryAuthority> connections = new ArrayList<>();
    private boolean calm;
    private long nextTickNanos = Long.MAX_VALUE;

    MemoryWorld(Scenario scenario, World world, FaultDice dice) {
        this.scenario = scenario;
        this.world = world;
        this.dice = dice;
        this.engine = new MemoryEngine(
                scenario.timings().lease().ttl(),
                world::nowNanos,
                told -> world.after(world.between(1_000, 50_000), told));
    }

    @Override
    public Connection connect(NodeId node, SimProcess process) {
        MemoryAuthority connected = engine.connect(node);
        connected.faults(this::onTheWay);
        connections.add(connected);
        SeatAuthority seat = new ClockedAuthority(
                new LateEvents(connected.seat(scenario.seat()), world, () -> !calm), process::nanos);
        return new Connection() {
            @Override
            public SeatAuthority seat() {
                return seat;
            }

            @Override
            public void cut(long forNanos) {
                connected.cut();
                world.after(forNanos, connected::heal);
            }

            @Override
            public void drop() {
                connections.remove(connected);
                connected.close();
            }
        };
    }

    private Fault onTheWay(FaultPlan.Call call) {
        Duration there = Duration.ofNanos(world.between(20_000, 2_000_000));
        Duration back = Duration.ofNanos(world.between(20_000, 2_000_000));
        Scenario.Faults rough = scenario.faults();
        if (calm) {
            return new Fault.Delay(there, back);
        }
        Duration noticed = Duration.ofNanos(
                world.between(1_000_000, 2 * scenario.timings().timeout().toNanos()));
        if (world.chance(rough.lostMessage())) {
            return world.chance(0.5) ? new Fault.LoseRequest(noticed) : new Fault.LoseReply(noticed);
        }
        if (world.chance(rough.duplicated())) {
            return new Fault.Duplicate(Duration.ofNanos(world.between(1_000_000, 3_000_000_000L)));
        }
        if (world.chance(rough.slowMessage())) {
            return new Fault.Delay(
                    Duration.ofNanos(world.between(0, 1_000_000_000L)),
                    Duration.ofNanos(world.between(0, 1_000_000_000L)));
        }
        return new Fault.Delay(there, back);
    }

    @Override
    public void trouble() {
        dice.strike(scenario.faults().restartPerSecond(), () -> {
            world.note(() -> "engine restarts");
            engine.restart();
        });
    }

    @Override
    public void calm() {
        calm = true;
        connections.forEach(MemoryAuthority::heal);
    }

    /** The engine has no thread: somebody must tell it when time has brought something. */
    @Override
    public void stepped() {
        OptionalLong due = engine.nextTickNanos();
        if (due.isPresent() && due.getAsLong() < nextTickNanos) {
            nextTickNanos = Math.max(due.getAsLong(), world.nowNanos());
            long thisTickNanos = nextTickNanos;
            world.at(thisTickNanos, () -> {
                if (nextTickNanos == thisTickNanos) {
                    nextTickNanos = Long.MAX_VALUE;
                }
                engine.tick();
            });
        }
    }
}
