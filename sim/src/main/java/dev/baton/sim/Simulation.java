package dev.baton.sim;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** One seed's run of a scenario. */
public final class Simulation {

    private final Scenario scenario;
    private final long seed;
    private final World world;
    private final Judge judge = new Judge();
    private final MemoryEngine engine;
    private final List<SimNode> nodes = new ArrayList<>();
    private int faults;
    private long nextTickNanos = Long.MAX_VALUE;

    private Simulation(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.seed = seed;
        this.world = new World(seed);
        this.engine = new MemoryEngine(
                scenario.timings().lease().ttl(),
                world::nowNanos,
                told -> world.after(world.between(1_000, 50_000), told));
    }

    public static Outcome run(Scenario scenario, long seed) {
        return new Simulation(scenario, seed).run();
    }

    private Outcome run() {
        for (int i = 1; i <= scenario.nodes(); i++) {
            SimNode node = new SimNode(new NodeId("n" + i), scenario, world, judge, engine);
            nodes.add(node);
            node.start();
        }
        long calmNanos = scenario.troubled().toNanos();
        scheduleTrouble();
        runUntil(calmNanos);
        nodes.forEach(SimNode::calm);
        long endNanos = calmNanos + scenario.calm().toNanos();
        Height before = judge.top();
        runUntil(endNanos);
        judge.progress(
                judge.top().value()
                        >= before.value()
                                + scenario.calm().dividedBy(scenario.timings().interval()) / 4,
                "only " + (judge.top().value() - before.value()) + " entries in the calm " + scenario.calm());
        judge.ledger(finalLedger());
        return new Outcome(
                seed,
                judge.violations(),
                judge.top().value(),
                judge.termsSeen(),
                faults,
                world.happened(),
                world.transcript().lines());
    }

    private void runUntil(long endNanos) {
        while (judge.violations().isEmpty() && world.step(endNanos)) {
            keepTicking();
        }
    }

    /** The engine has no thread: somebody must tell it when time has brought something. */
    private void keepTicking() {
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

    private void scheduleTrouble() {
        long eachNanos = Duration.ofMillis(250).toNanos();
        long longestNanos = 2 * scenario.timings().takeoverDelay().toNanos();
        Scenario.Faults rough = scenario.faults();
        for (long atNanos = eachNanos; atNanos < scenario.troubled().toNanos(); atNanos += eachNanos) {
            world.at(atNanos, () -> {
                for (SimNode node : nodes) {
                    strike(rough.crashPerSecond(), () -> node.crash(world.between(0, longestNanos)));
                    strike(rough.pausePerSecond(), () -> node.pause(world.between(0, longestNanos)));
                    strike(rough.falseEvidencePerSecond(), node::suspectHolder);
                    strike(rough.cutPerSecond(), () -> node.cut(world.between(0, longestNanos)));
                    strike(
                            rough.dutyHangPerSecond(),
                            () -> node.hangDuty(world.between(
                                    0, 2 * scenario.timings().timeout().toNanos())));
                }
                strike(rough.restartPerSecond(), () -> {
                    world.note("engine restarts");
                    engine.restart();
                });
            });
        }
    }

    private void strike(double perSecond, Runnable fault) {
        if (world.chance(perSecond / 4)) {
            faults++;
            fault.run();
        }
    }

    private List<Entry> finalLedger() {
        List<Entry> all = new ArrayList<>();
        var seat = engine.connect(new NodeId("judge")).seat(scenario.seat());
        Height from = Height.FIRST;
        while (true) {
            CompletableFuture<Page> reply = seat.read(from, PageLimit.DEFAULT).toCompletableFuture();
            while (!reply.isDone() && world.step(Long.MAX_VALUE)) {
                // the answer is on its way
            }
            if (!(reply.join() instanceof Page.Entries page) || page.entries().isEmpty()) {
                return all;
            }
            all.addAll(page.entries());
            from = page.entries().getLast().height().next();
        }
    }
}
