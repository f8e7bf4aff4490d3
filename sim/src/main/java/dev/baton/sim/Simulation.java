package dev.baton.sim;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One seed's run of a scenario. */
public final class Simulation {

    /** How long the ledger may take to show everything once the world is calm. */
    private static final long READ_PATIENCE_NANOS = 3_000_000_000L;

    private final Scenario scenario;
    private final long seed;
    private final World world;
    private final Judge judge = new Judge();
    private final FaultDice dice;
    private final SimEngine engine;
    private final List<SimNode> nodes = new ArrayList<>();

    private Simulation(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.seed = seed;
        this.world = new World(seed);
        this.dice = new FaultDice(world);
        this.engine = switch (scenario.engine()) {
            case Engine.Memory ignored -> new MemoryWorld(scenario, world, dice);
            case Engine.Redis redis -> new RedisWorld(scenario, redis, world, dice, judge);
        };
    }

    /** Runs the scenario as this seed has it; the outcome holds the transcript. */
    public static Outcome run(Scenario scenario, long seed) {
        return new Simulation(scenario, seed).run(true);
    }

    /** Puts the transcript into words only if a rule was broken. */
    static Outcome runQuietly(Scenario scenario, long seed) {
        return new Simulation(scenario, seed).run(false);
    }

    private Outcome run(boolean wanted) {
        world.note(() -> "seed " + seed + ": " + scenario.nodes() + " nodes on " + scenario.engine());
        for (int i = 1; i <= scenario.nodes(); i++) {
            SimNode node = new SimNode(new NodeId("n" + i), scenario, world, judge, engine);
            nodes.add(node);
            node.start();
        }
        long calmNanos = scenario.troubled().toNanos();
        scheduleTrouble();
        runUntil(calmNanos);
        world.note(() -> "the world is calm from now on");
        nodes.forEach(SimNode::calm);
        engine.calm();
        Height before = judge.top();
        runUntil(calmNanos + scenario.calm().toNanos());
        if (judge.isContent()) {
            judgeEnd(before);
        }
        return new Outcome(
                scenario.engine().kind(),
                seed,
                judge.violations(),
                judge.top().value(),
                judge.termsSeen(),
                dice.faults(),
                world.happened(),
                wanted || !judge.isContent() ? world.transcript().lines() : List.of());
    }

    private void judgeEnd(Height before) {
        long entries = judge.top().value() - before.value();
        long expected = scenario.calm().dividedBy(scenario.timings().interval()) / 4;
        judge.expect(
                entries >= expected, "LIVENESS", () -> "only " + entries + " entries in the calm " + scenario.calm());
        Height upTo = judge.top();
        judge.ledger(ledger(upTo), upTo);
    }

    private void runUntil(long endNanos) {
        while (judge.isContent() && world.step(endNanos)) {
            engine.stepped();
        }
    }

    private void scheduleTrouble() {
        long longestNanos = 2 * scenario.timings().takeoverDelay().toNanos();
        Scenario.Faults rough = scenario.faults();
        for (long atNanos = FaultDice.EACH_NANOS;
                atNanos < scenario.troubled().toNanos();
                atNanos += FaultDice.EACH_NANOS) {
            world.at(atNanos, () -> {
                for (SimNode node : nodes) {
                    dice.strike(rough.crashPerSecond(), () -> node.crash(world.between(0, longestNanos)));
                    dice.strike(rough.pausePerSecond(), () -> node.pause(world.between(0, longestNanos)));
                    dice.strike(rough.falseEvidencePerSecond(), node::suspectHolder);
                    dice.strike(rough.cutPerSecond(), () -> node.cut(world.between(0, longestNanos)));
                    dice.strike(
                            rough.dutyHangPerSecond(),
                            () -> node.hangDuty(world.between(
                                    0, 2 * scenario.timings().timeout().toNanos())));
                }
                engine.trouble();
            });
        }
    }

    /** Reads the ledger as a newcomer does, until it has everything up to that height or time is over. */
    private List<Entry> ledger(Height upTo) {
        List<Entry> all = new ArrayList<>();
        SeatAuthority seat =
                engine.connect(new NodeId("reader"), new SimProcess(world, 1)).seat();
        long endNanos = world.nowNanos() + READ_PATIENCE_NANOS;
        Height from = Height.FIRST;
        while (!from.isAbove(upTo) && world.nowNanos() < endNanos) {
            switch (read(seat, from, endNanos)) {
                case Page.Entries page
                when !page.entries().isEmpty() -> {
                    all.addAll(page.entries());
                    from = page.entries().getLast().height().next();
                }
                case Page.Trimmed(Height oldest) -> {
                    all.clear(); // it was trimmed while it was read
                    from = oldest;
                }
                case Page.Entries ignored -> waitAMoment(endNanos);
                case Page.Unavailable ignored -> waitAMoment(endNanos);
            }
        }
        return all;
    }

    private Page read(SeatAuthority seat, Height from, long endNanos) {
        CompletableFuture<Page> reply = seat.read(from, PageLimit.DEFAULT).toCompletableFuture();
        while (!reply.isDone() && judge.isContent() && world.step(endNanos)) {
            engine.stepped();
        }
        return reply.getNow(new Page.Unavailable("no answer"));
    }

    private void waitAMoment(long endNanos) {
        long thenNanos = Math.min(endNanos, world.nowNanos() + 10_000_000);
        while (world.step(thenNanos)) {
            engine.stepped();
        }
    }
}
