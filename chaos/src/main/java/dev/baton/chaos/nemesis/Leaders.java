package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.nemesis.Nemesis.NotPossibleException;
import dev.baton.chaos.plan.PlannedFault;

/** Turns "whoever leads" into a name. */
final class Leaders {

    private Leaders() {}

    /** The leader, or what it has beside it; if nobody leads now, a node that runs stands for it. */
    static String resolve(Cluster cluster, String target) throws NotPossibleException {
        return switch (target) {
            case PlannedFault.LEADER -> leader(cluster);
            case PlannedFault.COMPANION ->
                cluster.companionOf(leader(cluster))
                        .orElseThrow(() -> new NotPossibleException("nodes have nothing beside them"));
            default -> target;
        };
    }

    private static String leader(Cluster cluster) throws NotPossibleException {
        return cluster.leader()
                .or(() -> cluster.nodes().stream().filter(cluster::isAlive).findFirst())
                .orElseThrow(() -> new NotPossibleException("no node runs"));
    }
}
