package dev.baton.cli.up;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What {@code up} was asked for.
 *
 * @param mempool whether the nodes also share a mempool, in a Redis of its own, that feeds the sequencer
 */
record UpSettings(
        Path data,
        int nodes,
        Duration interval,
        UpAuthority authority,
        UpDuty duty,
        boolean mempool,
        Optional<Duration> lasting,
        Optional<Integer> portBase,
        boolean fresh) {

    /** How many servers {@code up} runs where they keep the seat: one may die, and the other two go on. */
    static final int OWN_SERVERS = 3;

    static final String CLUSTER = "dev";

    /** The folder that stands for the layer blocks are published to. */
    static final String AVAILABILITY = "da";

    /** The seat of the mempool's watcher, and the folder of the mempool's Redis. */
    static final String MEMPOOL = "mempool";

    Path folder(String node) {
        return data.resolve(node);
    }

    Path config(String node) {
        return folder(node).resolve("node.yaml");
    }

    Path log(String node) {
        return folder(node).resolve("log");
    }
}
