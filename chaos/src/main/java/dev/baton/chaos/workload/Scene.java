package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.Cluster;
import java.util.function.BooleanSupplier;

/**
 * Where everybody works: the cluster, the journal, and whether to go on.
 *
 * @param goOn false once those who got this scene are to stop
 */
public record Scene(Cluster cluster, Recorder recorder, BooleanSupplier goOn) {}
