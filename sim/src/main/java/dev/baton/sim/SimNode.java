package dev.baton.sim;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatAuthority;
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
import org.jspecify.annotations.Nullable;

/** A node that lives through crashes: each start is a new process with a new incarnation and a new connection. */
final class SimNode {

    /** Little enough that ledgers are trimmed again and again. */
    private static final LedgerLimits KEPT = new LedgerLimits(48, 1 << 20);

    private final NodeId id;
    private final Scenario scenario;
    private final World world;
    private final Judge judge;
    private final SimEngine engine;
    private @Nullable SimProcess process;
    private SimEngine.@Nullable Connection connection;
    private @Nullable JoinedSeat joined;
    private boolean calm;

    SimNode(NodeId id, Scenario scenario, World world, Judge judge, SimEngine engine) {
        this.id = id;
        this.scenario = scenario;
        this.world = world;
        this.judge = judge;
        this.engine = engine;
    }

    void start() {
        double spread = scenario.faults().clockRateSpread();
        SimProcess started = new SimProcess(world, 1 + (2 * world.random().nextDouble() - 1) * spread);
        SimEngine.Connection connected = engine.connect(id, started);
        Holder self = new Holder(id, new Incarnation(incarnation()));
        Duty duty =
                new FailingDuty(new JudgedDuty(scenario.duties().create(self, world, judge), judge), this::dutyFails);
        SeatAuthority seat = scenario.mutant()
                .map(mutant -> mutant.spoil(connected.seat(), id, started::nanos))
                .orElseGet(connected::seat);
        SeatRules rules =
                new SeatRules(scenario.seat(), id, duty.fencing(), scenario.timings(), SeatRules.DEFAULT_POLL);
        SeatParts parts = new SeatParts(
                rules,
                new Candidate(self, id + ":1"),
                new JudgedAuthority(seat, judge),
                duty,
                KEPT,
                SeatParts.DEFAULT_MAX_LAG,
                new Scribe());
        world.note(() -> id + " starts as " + self);
        joined = JoinedSeat.onLoop(parts, started, started, world.random());
        process = started;
        connection = connected;
        if (isBroken(Mutant.SILENCE_TRUSTED)) {
            trustSilence(started, joined);
        }
    }

    private boolean isBroken(Mutant rule) {
        return scenario.mutant().filter(mutant -> mutant == rule).isPresent();
    }

    private long incarnation() {
        return isBroken(Mutant.TERM_RESUMED_AFTER_RESTART)
                ? id.value().hashCode()
                : world.random().nextLong();
    }

    private boolean dutyFails() {
        return !calm && world.chance(scenario.faults().dutyFailure());
    }

    void crash(long downNanos) {
        if (process == null || process.isCrashed()) {
            return;
        }
        world.note(() -> id + " crashes");
        process.crash();
        if (connection != null) {
            connection.drop();
        }
        world.after(downNanos, this::start);
    }

    void pause(long forNanos) {
        if (process != null) {
            world.note(() -> id + " stands still for " + forNanos / 1_000_000 + " ms");
            process.pauseUntil(world.nowNanos() + forNanos);
        }
    }

    void hangDuty(long forNanos) {
        if (process != null) {
            world.note(() -> id + "'s duty hangs for " + forNanos / 1_000_000 + " ms");
            process.hangDutyUntil(world.nowNanos() + forNanos);
        }
    }

    void cut(long forNanos) {
        if (connection != null) {
            world.note(() -> id + " is cut off for " + forNanos / 1_000_000 + " ms");
            connection.cut(forNanos);
        }
    }

    /** Takes whoever holds the seat for dead, though it is not: a proxy that refuses connections looks like that. */
    void suspectHolder() {
        JoinedSeat seat = joined;
        if (seat != null) {
            seat.status().currentHolder().map(Seating::term).ifPresent(term -> {
                world.note(() -> id + " takes " + term + " for dead");
                judge.suspected(term);
                seat.evidence(term);
            });
        }
    }

    /** The broken rule by which a holder that says nothing for a while is as good as dead. */
    private void trustSilence(SimProcess started, JoinedSeat seat) {
        long patienceNanos = 3 * scenario.timings().interval().toNanos();
        started.schedule(started.nanos() + patienceNanos / 3, () -> {
            if (started.nanos() - seat.status().headSeenNanos() > patienceNanos) {
                seat.status().currentHolder().map(Seating::term).ifPresent(seat::evidence);
            }
            trustSilence(started, seat);
        });
    }

    /** No more trouble on this node. */
    void calm() {
        calm = true;
    }

    /** Writes what the node does into the transcript. */
    private final class Scribe implements SeatObserver {
        @Override
        public void stepped(Standing before, Input input, Step step) {
            if (before.name() != step.next().name()) {
                world.note(() -> id + " " + before.name() + " → " + step.next().name() + " on "
                        + input.getClass().getSimpleName());
            }
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.Append append) {
                    world.note(() -> id + " appends " + append.entry());
                }
            }
        }

        @Override
        public void problem(String what) {
            world.note(() -> id + " has a problem: " + what);
        }

        @Override
        public void alarm(String what) {
            world.note(() -> id + " ALARM " + what);
            judge.expect(false, "LIVENESS", () -> id + " raised an alarm: " + what);
        }
    }
}
