package dev.baton.chaos.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of which fault can be done to which cluster, and if not, why not. */
public final class Applicability {

    private static final String DURABLE =
            "the engine's servers answer only when what they were told is on the disk, so one"
                    + " that loses a second breaks its own promise; name the fault in --faults to run servers that promise less";

    private Applicability() {}

    /** Nothing if the kind applies; otherwise the reason, for people to read. */
    public static Optional<String> whyNot(FaultKind kind, Topology topology) {
        return Optional.ofNullable(
                switch (kind) {
                    case KILL,
                            PAUSE,
                            CLOCK,
                            CLIENT_CUT,
                            LATENCY,
                            LOSS,
                            THROTTLE,
                            CORRUPT,
                            TRUNCATE,
                            HALF_OPEN,
                            DISK_FULL,
                            SLOW_FSYNC -> null;
                    case PARTITION ->
                        topology.nodes().size() + topology.engines().size() > 1
                                ? null
                                : "one node alone has nobody to be cut off from";
                    case FALSE_EVIDENCE ->
                        topology.nodes().size() > 1 ? null : "one node alone has nobody to take it for dead";
                    case HANDOFF, ROLLING_RESTART ->
                        topology.nodes().size() > 1 ? null : "one node alone has nobody to hand over to";
                    case ENGINE_RESTART ->
                        topology.engines().isEmpty()
                                ? "the engine lives inside the nodes: kill restarts it with its data"
                                : null;
                    case ENGINE_EMPTY -> whyNoServerMayForget(topology);
                    case ENGINE_ROLLBACK -> {
                        String why = whyNoServerMayForget(topology);
                        yield why != null || topology.forgetful() ? why : DURABLE;
                    }
                });
    }

    private static @Nullable String whyNoServerMayForget(Topology topology) {
        if (topology.engines().isEmpty()) {
            return "the engine lives inside the nodes, and Raft rests on each member's log: one that lost it has to be"
                    + " replaced by hand";
        }
        if (!topology.authority().equals("redis")) {
            return topology.authority() + " is a Raft group itself and rests on each server's log: one that lost it"
                    + " has to be replaced by hand";
        }
        return Topology.minorityOf(topology.engines().size()) > 0
                ? null
                : "of " + topology.engines().size() + " engine servers none may lose its data (expected: 3 or more)";
    }

    /**
     * Whether bytes of such a link may be changed on the way: only where somebody has promised to notice. Clients are told
     * to mistrust what they heard meanwhile, and Redis' scripts and answers carry a seal; what else there is has none
     * without TLS.
     */
    public static boolean mayBeCorrupted(Link link, Topology topology) {
        return link == Link.CLIENT
                || (link == Link.ENGINE && topology.authority().equals("redis"));
    }

    /**
     * Whether both ends of such a link find out by themselves that it has gone dumb. Servers of NATS before 2.9.16 do not,
     * while they send over it, and are without JetStream until somebody resets it.
     */
    public static boolean isFoundDumb(Link link, Topology topology) {
        return link != Link.ENGINE_PEER || !topology.authority().equals("nats");
    }

    /** The whole table for a cluster: each kind that does not apply, with the reason. */
    public static Map<FaultKind, String> exceptions(Topology topology) {
        Map<FaultKind, String> reasons = new LinkedHashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            whyNot(kind, topology).ifPresent(why -> reasons.put(kind, why));
        }
        return reasons;
    }
}
