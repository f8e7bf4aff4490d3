package dev.baton.chaos.run;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.EngineReader;
import dev.baton.chaos.cluster.NodeSample;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.workload.DutyKind;
import dev.baton.chaos.workload.Recorder;
import dev.baton.chaos.workload.Scene;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What stores and engines hold at the end, when the cluster has settled. */
final class Inventory {

    private static final long LOOK_MILLIS = 200;

    private final Cluster cluster;
    private final DutyKind duty;
    private final Recorder recorder;
    private final Consumer<String> tell;

    Inventory(Cluster cluster, DutyKind duty, Recorder recorder, Consumer<String> tell) {
        this.cluster = cluster;
        this.duty = duty;
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
            if (samples.stream().allMatch(each -> each.up() && each.height() >= due) && isSettled()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        tell.accept("the nodes did not settle within " + patience.toSeconds() + " s");
    }

    private boolean isSettled() throws InterruptedException {
        try {
            return duty.isSettled(cluster);
        } catch (IOException e) {
            return false;
        }
    }

    void take(String authority) throws InterruptedException {
        for (String node : cluster.nodes()) {
            try {
                duty.takeStock(new Scene(cluster, recorder, () -> true), node);
            } catch (IOException e) {
                tell.accept("what " + node + " holds cannot be read: " + e);
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
}
