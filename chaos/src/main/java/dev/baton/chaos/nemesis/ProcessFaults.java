package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.FileTrees;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.cluster.NodeSample;
import dev.baton.chaos.nemesis.Nemesis.Begun;
import dev.baton.chaos.nemesis.Nemesis.NotPossibleException;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Faults of processes: signals, restarts, lost data, and changes of the holder. */
final class ProcessFaults {

    private static final Duration BACK = Duration.ofSeconds(90);
    private static final long LOOK_MILLIS = 100;

    private final Cluster cluster;
    private final Busy busy = new Busy();

    ProcessFaults(Cluster cluster) {
        this.cluster = cluster;
    }

    private record Done(List<String> targets, Map<String, String> parameters, Undoing undoing) implements Begun {
        @Override
        public void end() throws IOException, InterruptedException {
            undoing.undo();
        }
    }

    private interface Undoing {
        void undo() throws IOException, InterruptedException;
    }

    Begun begin(PlannedFault fault) throws IOException, InterruptedException, NotPossibleException {
        return switch (fault.kind()) {
            case KILL -> on(taken(fault), cluster::kill, this::startAgain);
            case PAUSE -> on(taken(fault), cluster::freeze, cluster::wake);
            case ENGINE_RESTART -> on(taken(fault), cluster::kill, cluster::start);
            case ENGINE_EMPTY ->
                on(
                        taken(fault),
                        name -> {
                            cluster.kill(name);
                            cluster.empty(name);
                        },
                        cluster::start);
            case ENGINE_ROLLBACK ->
                on(taken(fault), name -> rollBack(name, Duration.ofMillis(fault.number("lostMillis"))), cluster::start);
            case DISK_FULL -> on(taken(fault), cluster::fillDisk, this::restart);
            case SLOW_FSYNC -> {
                Stutter stutter = new Stutter(cluster, Duration.ofMillis(fault.number("delayMillis")));
                yield on(taken(fault), stutter::begin, stutter::end);
            }
            case CLOCK -> {
                Map<String, String> wrongTime = FakeTime.environment(fault);
                yield on(
                        taken(fault),
                        name -> {
                            cluster.kill(name);
                            cluster.start(name, wrongTime);
                        },
                        this::restart);
            }
            case HANDOFF -> handOff();
            case ROLLING_RESTART -> new Done(cluster.nodes(), Map.of(), this::restartAll);
            default -> throw new IllegalArgumentException(fault.kind().label() + ": no fault of a process");
        };
    }

    private Begun on(String name, Busy.Deed begin, Busy.Deed end) throws IOException, InterruptedException {
        return busy.hurt(name, begin, end, cluster::start);
    }

    /** The planned target, or another of its kind that nothing else is done to. */
    private String taken(PlannedFault fault) throws NotPossibleException {
        String wished = Leaders.resolve(cluster, fault.targets().getFirst());
        if (busy.take(wished)) {
            return wished;
        }
        // Never another engine server for one that loses its data: the plan says which may.
        if (!mayLoseData(fault)) {
            for (String other : cluster.topology().alike(wished)) {
                if (busy.take(other)) {
                    return other;
                }
            }
        }
        throw new NotPossibleException(wished + " is being hurt by another fault");
    }

    private boolean mayLoseData(PlannedFault fault) {
        return fault.kind() == FaultKind.ENGINE_EMPTY
                || (cluster.topology().forgetful()
                        && cluster.engines().contains(fault.targets().getFirst()));
    }

    /** A process that is to be as it was: killed if it still lives, and started again. */
    private void restart(String name) throws IOException, InterruptedException {
        cluster.kill(name);
        startAgain(name);
    }

    /** The server comes back with what it had stored so long before it was killed. */
    private void rollBack(String engine, Duration lost) throws IOException, InterruptedException {
        Path data = cluster.dataOf(engine);
        Path before = data.resolveSibling("data-before");
        FileTrees.copy(data, before);
        Thread.sleep(lost);
        cluster.kill(engine);
        FileTrees.delete(data);
        Files.move(before, data);
    }

    private void startAgain(String name) throws IOException, InterruptedException {
        cluster.start(name);
        if (cluster.nodes().contains(name)) {
            await(name, NodeSample::up, "does not answer");
        }
    }

    private void await(String node, Predicate<NodeSample> done, String trouble)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + BACK.toNanos();
        while (!done.test(cluster.sample(node))) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException(node + " " + trouble + " " + BACK.toSeconds()
                        + " s after it was started again; see " + cluster.log(node));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private Begun handOff() throws IOException, InterruptedException, NotPossibleException {
        String leader = cluster.leader().orElseThrow(() -> new NotPossibleException("nobody leads"));
        String heir = cluster.nodes().stream()
                .filter(node -> !node.equals(leader) && cluster.isAlive(node))
                .findFirst()
                .orElseThrow(() -> new NotPossibleException("no other node runs"));
        NodeHttp.Reply reply = cluster.handOff(leader, heir);
        if (!reply.isOk()) {
            throw new NotPossibleException(
                    "refused: " + reply.body().path("error").asText("status " + reply.status()));
        }
        return new Done(List.of(leader), Map.of("to", heir), () -> {});
    }

    private void restartAll() throws IOException, InterruptedException {
        for (String node : cluster.nodes()) {
            if (!busy.take(node)) {
                continue; // whoever hurts it starts it again
            }
            try {
                cluster.stop(node);
                cluster.start(node);
                // The next one goes only when this one could take its place: that is what rolling means.
                await(node, cluster::isBack, "is neither a leader nor ready to follow");
            } finally {
                busy.release(node);
            }
        }
    }
}
