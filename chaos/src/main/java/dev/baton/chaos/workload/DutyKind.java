package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.cluster.SeatKind;
import java.io.IOException;
import java.util.List;

/**
 * All that the harness has to know of a duty: how nodes are told of it, who asks for what, who looks, and what is read at
 * the end. One class for each, and one line in {@link DutyKinds}; the judge goes by what was asked and what was read.
 */
public interface DutyKind extends SeatKind {

    /** Makes what clients rely on, once the cluster runs and before anything is hurt. */
    default void prepare(Cluster cluster) throws IOException, InterruptedException {}

    /** Those who ask, all the time. */
    List<Client> clients(Scene scene, long seed);

    /** Those who look at a node all the time, beside the one who samples its standing. */
    default List<Runnable> onlookers(Scene scene, String node) {
        return List.of();
    }

    /** Whether all that clients were promised has come to its end; asked again and again when clients have stopped. */
    default boolean isSettled(Cluster cluster) throws IOException, InterruptedException {
        return true;
    }

    /** Writes down what a node holds, when all faults are over. */
    void takeStock(Scene scene, String node) throws IOException, InterruptedException;
}
