package dev.baton.cli.up;

import dev.baton.cli.cluster.ClusterFile;
import java.util.Arrays;
import java.util.Optional;

/** What the nodes of an {@code up} cluster do, and on which seat. */
enum UpDuty {
    SEQUENCER(ClusterFile.SEQUENCER, "blocks"),
    TOKENS(ClusterFile.TOKENS, "tokens"),
    POSTGRES(ClusterFile.POSTGRES, "pg"),
    REMOTE(ClusterFile.REMOTE, "blocks");

    private final String word;
    private final String seat;

    UpDuty(String word, String seat) {
        this.word = word;
        this.seat = seat;
    }

    String word() {
        return word;
    }

    String seat() {
        return seat;
    }

    static Optional<UpDuty> of(String word) {
        return Arrays.stream(values()).filter(duty -> duty.word.equals(word)).findFirst();
    }
}
