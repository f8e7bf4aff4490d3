package dev.baton.node.metrics;

import dev.baton.core.SeatId;
import dev.baton.node.EngineNodes;
import java.time.Duration;
import java.util.List;

/** Asks the servers of an engine now and then how they are, since a scrape must not wait for them. */
public final class EngineHealth implements AutoCloseable {

    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final EngineNodes nodes;
    private final SeatId seat;
    private final Thread asks;
    private volatile int voting;
    private volatile int troubled;

    EngineHealth(EngineNodes nodes, SeatId seat) {
        this.nodes = nodes;
        this.seat = seat;
        this.asks = Thread.ofVirtual().name("engine-health-" + seat.seat()).start(this::ask);
    }

    private void ask() {
        try {
            while (true) {
                List<EngineNodes.State> all = nodes.of(seat);
                troubled = (int)
                        all.stream().filter(node -> !node.trouble().isEmpty()).count();
                voting = all.size() - troubled;
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    double voting() {
        return voting;
    }

    double troubled() {
        return troubled;
    }

    @Override
    public void close() {
        asks.interrupt();
    }
}
