package dev.baton.chaos.cluster;

import java.io.IOException;
import java.util.List;

/**
 * Starts nodes again that have ended by themselves, a moment later, as a service manager does: one that finds its engine
 * out of reach when it starts says so and ends, and that is no failure yet. One that cannot be started at all is missing at
 * the end of the run, and the judge will say so.
 */
final class Supervisor implements AutoCloseable {

    private static final long LOOK_MILLIS = 1000;

    private final List<ChildProcess> nodes;
    private final Thread thread = Thread.ofVirtual().name("supervisor").unstarted(this::watch);

    Supervisor(List<ChildProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    void start() {
        thread.start();
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                nodes.forEach(Supervisor::revive);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One that cannot be started now is tried again with the others. */
    private static void revive(ChildProcess node) {
        try {
            node.revive();
        } catch (IOException e) {
            System.err.println(node.name() + " cannot be started again: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
