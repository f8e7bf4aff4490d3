package dev.baton.cli.up;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What {@code up} was asked for. */
record UpSettings(
        Path data,
        int nodes,
        Duration interval,
        UpAuthority authority,
        Optional<Duration> lasting,
        Optional<Integer> portBase,
        boolean fresh) {

    /** How many servers {@code up} runs where they keep the seat: one may die, and the other two go on. */
    static final int OWN_SERVERS = 3;

    static final String CLUSTER = "dev";
    static final String SEAT = "blocks";

    /** The folder that stands for the layer blocks are published to. */
    static final String AVAILABILITY = "da";

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
