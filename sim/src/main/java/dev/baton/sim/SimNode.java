package dev.baton.sim;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.memory.Fault;
import dev.baton.authority.memory.FaultPlan;
import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.standing.Effect;
import dev.baton.core.standing.Input;
import dev.baton.core.standing.SeatRules;
import dev.baton.core.standing.Standing;
import dev.baton.core.standing.Step;
import dev.baton.duty.Duty;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.LedgerLimits;
import dev.baton.seat.SeatObserver;
import dev.baton.seat.SeatParts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A node that lives through crashes: each start is a new process with a new incarnation and a new connection. */
final class SimNode {

    private final NodeId id;
    private final Scenario scenario;
    private final World world;
    private final Judge judge;
    private final MemoryEngine engine;
    private @Nullable SimProcess process;
    private @Nullable MemoryAuthority connection;
    private @Nullable JoinedSeat joined;
    private boolean calm;

    SimNode(NodeId id, Scenario scenario, World world, Judge judge, MemoryEngine engine) {
        this.id = id;
        this.scenario = scenario;
        this.world = world;
        this.judge = judge;
        this.engine = engine;
    }

    void start() {
        double spread = scenario.faults().clockRateSpread();
        SimProcess started = new SimProcess(world, 1 + (2 * world.random().nextDouble() - 1) * spread);
        MemoryAuthority connected = engine.connect(id);
        connected.faults(this::onTheWay);
        Holder self = new Holder(id, new Incarnation(world.random().nextLong()));
        Duty duty = new FailingDuty(scenario.duties().create(self, judge, world), this::dutyFails);
        SeatAuthority direct = new LateEvents(connected.seat(scenario.seat()), world, () -> !calm);
        SeatRules rules =
                new SeatRules(scenario.seat(), id, duty.fencing(), scenario.timings(), SeatRules.DEFAULT_POLL);
        SeatParts parts = new SeatParts(
                rules,
                new Candidate(self, id + ":1"),
                scenario.mutant()
                        .map(mutant -> mutant.connects(direct, started::nanos))
                        .orElseGet(() -> new ClockedAuthority(direct, started::nanos)),
                duty,
                LedgerLimits.DEFAULT,
                SeatParts.DEFAULT_MAX_LAG,
                new Scribe());
        world.note(id + " starts as " + self);
        joined = JoinedSeat.onLoop(parts, started, started, world.random());
        process = started;
        connection = connected;
    }

    private boolean dutyFails() {
        return !calm && world.chance(scenario.faults().dutyFailure());
    }

    private Fault onTheWay(FaultPlan.Call call) {
        Duration short1 = Duration.ofNanos(world.between(20_000, 2_000_000));
        Duration short2 = Duration.ofNanos(world.between(20_000, 2_000_000));
        Scenario.Faults rough = scenario.faults();
        if (calm) {
            return new Fault.Delay(short1, short2);
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
        return new Fault.Delay(short1, short2);
    }

    void crash(long downNanos) {
        if (process == null || process.isCrashed()) {
            return;
        }
        world.note(id + " crashes");
        process.crash();
        if (connection != null) {
            connection.close();
        }
        world.after(downNanos, this::start);
    }

    void pause(long forNanos) {
        if (process != null) {
            world.note(id + " stands still for " + forNanos / 1_000_000 + " ms");
            process.pauseUntil(world.nowNanos() + forNanos);
        }
    }

    void hangDuty(long forNanos) {
        if (process != null) {
            world.note(id + "'s duty hangs for " + forNanos / 1_000_000 + " ms");
            process.hangDutyUntil(world.nowNanos() + forNanos);
        }
    }

    void cut(long forNanos) {
        MemoryAuthority cut = connection;
        if (cut != null) {
            world.note(id + " is cut off for " + forNanos / 1_000_000 + " ms");
            cut.cut();
            world.after(forNanos, cut::heal);
        }
    }

    /** Takes whoever holds the seat for dead, though it is not: a proxy that refuses connections looks like that. */
    void suspectHolder() {
        JoinedSeat seat = joined;
        if (seat != null) {
            seat.status().currentHolder().map(Seating::term).ifPresent(term -> {
                world.note(id + " takes " + term + " for dead");
                judge.suspected(term);
                seat.evidence(term);
            });
        }
    }

    /** No more trouble on this node's ways. */
    void calm() {
        calm = true;
        if (connection != null) {
            connection.heal();
        }
    }

    /** Writes what the node does into the transcript. */
    private final class Scribe implements SeatObserver {
        @Override
        public void stepped(Standing before, Input input, Step step) {
            if (before.name() != step.next().name()) {
                world.note(id + " " + before.name() + " → " + step.next().name() + " on "
                        + input.getClass().getSimpleName());
            }
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.Append append) {
                    world.note(id + " appends " + append.entry());
                }
            }
        }

        @Override
        public void alarm(String what) {
            world.note(id + " ALARM " + what);
            judge.progress(false, id + " raised an alarm: " + what);
        }
    }
}
