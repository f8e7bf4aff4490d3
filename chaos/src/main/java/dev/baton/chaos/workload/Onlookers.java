package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.NodeSample;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Those who only look: a reader of blocks and a sampler of standings for each node. */
final class Onlookers {

    private static final long EACH_MILLIS = 300;

    private final Cluster cluster;
    private final Recorder recorder;
    private final BooleanSupplier goOn;

    Onlookers(Scene scene) {
        this.cluster = scene.cluster();
        this.recorder = scene.recorder();
        this.goOn = scene.goOn();
    }

    void sample(String node) {
        try {
            while (goOn.getAsBoolean()) {
                NodeSample seen = cluster.sample(node);
                recorder.append(new Event.Sampled(
                        recorder.nowNanos(), node, seen.standing(), seen.epoch(), seen.height(), seen.up()));
                TimeUnit.MILLISECONDS.sleep(EACH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void read(String node) {
        BlockReader reader = new BlockReader(cluster.httpBehind(node));
        long next = 1;
        try {
            while (goOn.getAsBoolean()) {
                try {
                    for (Held block : reader.from(next)) {
                        recorder.append(new Event.BlockSeen(recorder.nowNanos(), "reader-" + node, node, block));
                        next = block.height() + 1;
                    }
                } catch (IOException e) {
                    // Not there now; it will be, or the end will tell.
                }
                TimeUnit.MILLISECONDS.sleep(EACH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
