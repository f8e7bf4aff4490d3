package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The etcd cluster that keeps the seats, and how this node treats it.
 *
 * @param requestTimeout the longest that one call takes, whichever members it has to try
 * @param compactAfter while this node holds a seat it lets etcd forget revisions older than this; zero: others do
 * @param defragmentAboveBytes and gives space back to the disk where a database is larger than this and more than half
 *     empty; zero: never
 */
public record EtcdConfig(
        List<HostPort> endpoints,
        EngineAccess access,
        Duration requestTimeout,
        Duration compactAfter,
        long defragmentAboveBytes) {

    private static final Duration SHORTEST_COMPACT_AFTER = Duration.ofSeconds(1);

    /** etcd raises shorter leases to one and a half election timeouts, which are 1 s by default. */
    private static final Duration SHORTEST_USUAL_LEASE = Duration.ofSeconds(2);

    public EtcdConfig {
        endpoints = List.copyOf(endpoints);
    }

    /** The {@code host:port} of every member. */
    public List<String> addresses() {
        return endpoints.stream().map(HostPort::toString).toList();
    }

    List<Fault> faults(String prefix, List<SeatConfig> seats) {
        List<Fault> faults = new ArrayList<>();
        ServerFaults.addOfList(prefix + "endpoints", endpoints, "member", "one etcd cluster, 3 or 5 as a rule", faults);
        ServerFaults.addOfLogin(prefix, access, faults);
        ServerFaults.addOfRequestTimeout(prefix, requestTimeout, seats, faults);
        if (!compactAfter.isZero() && compactAfter.compareTo(SHORTEST_COMPACT_AFTER) < 0) {
            faults.add(new Fault(
                    prefix + "compact-after",
                    Durations.show(compactAfter),
                    Durations.show(SHORTEST_COMPACT_AFTER) + " or longer, or 0s to leave that to others"));
        }
        return faults;
    }

    /** What is allowed but rarely wanted. */
    List<String> warnings(List<SeatConfig> seats) {
        List<String> warnings = new ArrayList<>();
        if (endpoints.size() == 1) {
            warnings.add("authority.endpoints has one member: while it is away this node reaches no etcd, though the"
                    + " others may run");
        }
        for (SeatConfig seat : seats) {
            Duration lease = seat.timings().takeoverDelay();
            if (lease.compareTo(SHORTEST_USUAL_LEASE) < 0) {
                warnings.add(seat.name() + ": etcd keeps a lease of " + Durations.show(lease)
                        + " for whole seconds, and with its usual election timeout for "
                        + Durations.show(SHORTEST_USUAL_LEASE) + " at least");
            }
        }
        return warnings;
    }
}
