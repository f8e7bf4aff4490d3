package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.nemesis.Nemesis.NotPossibleException;
import dev.baton.chaos.plan.PlannedFault;

/** Turns "whoever leads" into a name. */
final class Leaders {

    private Leaders() {}

    /** The leader; if nobody leads now, a node that runs. */
    static String resolve(Cluster cluster, String target) throws NotPossibleException {
        if (!target.equals(PlannedFault.LEADER)) {
            return target;
        }
        return cluster.leader()
                .or(() -> cluster.nodes().stream().filter(cluster::isAlive).findFirst())
                .orElseThrow(() -> new NotPossibleException("no node runs"));
    }
}
