package dev.baton.cli.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.NodeAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * How evenly blocks came since some height, by the times in them.
 *
 * <p>A slot is one interval, as the cluster is configured, counted from the block before: it is missed when more than one
 * and a half of them pass without a block. Slots of the wall clock would not do: whoever takes over goes on at once, not at
 * the next full second, and every later block follows from there.
 */
final class Slots {

    private static final int PAGE = 500;

    private final long since;
    private final long intervalMillis;
    private final List<Long> gapsMillis = new ArrayList<>();

    Slots(long since, long intervalMillis) {
        this.since = since;
        this.intervalMillis = Math.max(1, intervalMillis);
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

    int made() {
        return gapsMillis.size();
    }

    long intervalMillis() {
        return intervalMillis;
    }

    long worstGapMillis() {
        return gapsMillis.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** A gap of two intervals has room for one more block; halves are given to the cluster. */
    long missed() {
        return gapsMillis.stream()
                .mapToLong(gap -> Math.max(0, Math.round((double) gap / intervalMillis) - 1))
                .sum();
    }
}
