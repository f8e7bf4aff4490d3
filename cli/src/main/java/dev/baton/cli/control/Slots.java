package dev.baton.cli.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import java.util.ArrayList;
import java.util.List;

/** How evenly blocks came since some height: a slot is missed where a gap has room for another block. */
final class Slots {

    private static final int PAGE = 500;

    private final long since;
    private final List<Long> gapsMillis = new ArrayList<>();

    Slots(long since) {
        this.since = since;
    }

    /** Reads the blocks up to a height from whoever has them. */
    void measure(ClusterTarget target, long until) throws CliFailure, InterruptedException {
        NodeAddress node = target.answering().getFirst();
        long at = Math.max(1, since);
        long lastMillis = 0;
        while (at <= until) {
            JsonNode page =
                    ClusterTarget.expect(target.client().get(node.http(), "/blocks?from=" + at + "&limit=" + PAGE));
            if (page.path("blocks").isEmpty()) {
                return;
            }
            for (JsonNode block : page.path("blocks")) {
                long millis = block.path("timeMillis").asLong();
                if (lastMillis > 0) {
                    gapsMillis.add(millis - lastMillis);
                }
                lastMillis = millis;
                at = block.path("height").asLong() + 1;
            }
        }
    }

    void note(long gapMillis) {
        gapsMillis.add(gapMillis);
    }

    int blocks() {
        return gapsMillis.size();
    }

    /** The usual gap: the one in the middle. */
    long intervalMillis() {
        return gapsMillis.isEmpty() ? 0 : gapsMillis.stream().sorted().toList().get(gapsMillis.size() / 2);
    }

    long worstGapMillis() {
        return gapsMillis.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** A gap of two intervals has room for one more block; halves are given to the cluster. */
    long missed() {
        long interval = Math.max(1, intervalMillis());
        return gapsMillis.stream()
                .mapToLong(gap -> Math.max(0, Math.round((double) gap / interval) - 1))
                .sum();
    }
}
