package dev.baton.chaos.run;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.EngineReader;
import dev.baton.chaos.cluster.NodeSample;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.workload.BlockReader;
import dev.baton.chaos.workload.Recorder;
import dev.baton.chaos.workload.TokenReader;
import dev.baton.chaos.workload.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What stores and engines hold at the end, when the cluster has settled. */
final class Inventory {

    private static final long LOOK_MILLIS = 200;

    private final Cluster cluster;
    private final Recorder recorder;
    private final Consumer<String> tell;

    Inventory(Cluster cluster, Recorder recorder, Consumer<String> tell) {
        this.cluster = cluster;
        this.recorder = recorder;
        this.tell = tell;
    }

    /** Waits until every node has what any of them has now; in vain is no failure here, the judge will say so. */
    void settle(Duration patience) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        long due = recorder.height();
        while (System.nanoTime() - deadlineNanos < 0) {
            List<NodeSample> samples =
                    cluster.nodes().stream().map(cluster::sample).toList();
            if (samples.stream().allMatch(each -> each.up() && each.height() >= due)) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        tell.accept("the nodes did not settle within " + patience.toSeconds() + " s");
    }

    void take(String authority, String duty) throws InterruptedException {
        if (!duty.equals("tokens")) {
            for (String node : cluster.nodes()) {
                takeStore(node);
            }
        } else {
            for (String node : cluster.nodes()) {
                takeTokens(node);
            }
        }
        EngineReader engines = new EngineReader(cluster, authority);
        for (String engine : cluster.engines()) {
            try {
                long atNanos = recorder.nowNanos();
                recorder.append(new Event.FinalLedger(atNanos, engine, engines.read(engine)));
            } catch (IOException | IllegalArgumentException e) {
                tell.accept("the ledger of " + engine + " cannot be read: " + e);
            }
        }
    }

    private void takeTokens(String node) throws InterruptedException {
        TokenReader reader = new TokenReader(cluster.httpBehind(node));
        for (String namespace : Workload.NAMESPACES) {
            try {
                Optional<Event.FinalTokens> held = reader.read(recorder.nowNanos(), node, namespace);
                held.ifPresent(recorder::append);
            } catch (IOException e) {
                tell.accept("where tokens of " + namespace + " went cannot be read from " + node + ": " + e);
            }
        }
    }

    private void takeStore(String node) throws InterruptedException {
        BlockReader reader = new BlockReader(cluster.httpBehind(node));
        try {
            long next = 1;
            for (List<Held> page = reader.from(next); !page.isEmpty(); page = reader.from(next)) {
                long atNanos = recorder.nowNanos();
                List<Held> listed = new ArrayList<>();
                for (Held block : page) {
                    listed.add(reader.listed(block));
                }
                recorder.append(new Event.FinalStore(atNanos, node, listed));
                next = page.getLast().height() + 1;
            }
        } catch (IOException e) {
            tell.accept("the store of " + node + " cannot be read: " + e);
        }
    }
}
