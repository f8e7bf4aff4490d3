package dev.baton.chaos.workload;

import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads the blocks of the sequencer beside a node, past the proxies, as far as they are in the ledger. */
final class RecordedReader {

    private static final long EACH_MILLIS = 300;

    private final Scene scene;
    private final String node;
    private final String address;

    RecordedReader(Scene scene, String node) {
        this.scene = scene;
        this.node = node;
        this.address = scene.cluster().dutyBehind(node);
    }

    /** Writes down each block when this sequencer was told that it is in the ledger. */
    void follow() {
        long next = 1;
        try (Sequencers sequencers = new Sequencers()) {
            while (scene.goOn().getAsBoolean()) {
                try {
                    long recorded = sequencers.recorded(address);
                    for (Held block : upTo(recorded, next, sequencers)) {
                        scene.recorder()
                                .append(new Event.BlockSeen(
                                        scene.recorder().nowNanos(), "reader-" + node, node, block));
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

    /**
     * Writes down what this sequencer holds of what any of them was told is in the ledger: by now that must be the same
     * everywhere. Above it, whoever works may be ahead of the others.
     */
    void takeStore() throws IOException {
        try (Sequencers sequencers = new Sequencers()) {
            long recorded = sequencers.recordedAnywhere(scene.cluster());
            long next = 1;
            List<Held> page;
            do {
                long atNanos = scene.recorder().nowNanos();
                page = upTo(recorded, next, sequencers);
                scene.recorder().append(new Event.FinalStore(atNanos, node, page));
                next += page.size();
            } while (!page.isEmpty());
        }
    }

    private List<Held> upTo(long recorded, long from, Sequencers sequencers) throws IOException {
        return sequencers.from(address, from).stream()
                .filter(each -> each.height() <= recorded)
                .toList();
    }
}
