package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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

    private static final int MOST_ENDPOINTS = 9;
    private static final Duration SHORTEST_REQUEST = Duration.ofMillis(50);
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
        if (endpoints.isEmpty() || endpoints.size() > MOST_ENDPOINTS) {
            faults.add(new Fault(
                    prefix + "endpoints",
                    endpoints.isEmpty() ? "none" : endpoints.size() + " members",
                    "host:port of 1 to " + MOST_ENDPOINTS + " members of one etcd cluster, 3 or 5 as a rule"));
        }
        if (new HashSet<>(endpoints).size() < endpoints.size()) {
            faults.add(new Fault(prefix + "endpoints", addresses().toString(), "each member once"));
        }
        endpoints.stream()
                .filter(member -> member.port() == 0 || member.isWildcard())
                .forEach(member -> faults.add(
                        new Fault(prefix + "endpoints", member.toString(), "an address that can be connected to")));
        access.addFaults(prefix, faults);
        if (access.hasPassword() && access.user().isEmpty()) {
            faults.add(new Fault(prefix + "user", "missing", "the name that goes with the password"));
        }
        if (requestTimeout.compareTo(SHORTEST_REQUEST) < 0) {
            faults.add(new Fault(
                    prefix + "request-timeout",
                    Durations.show(requestTimeout),
                    Durations.show(SHORTEST_REQUEST) + " or longer"));
        }
        if (!compactAfter.isZero() && compactAfter.compareTo(SHORTEST_COMPACT_AFTER) < 0) {
            faults.add(new Fault(
                    prefix + "compact-after",
                    Durations.show(compactAfter),
                    Durations.show(SHORTEST_COMPACT_AFTER) + " or longer, or 0s to leave that to others"));
        }
        for (SeatConfig seat : seats) {
            Duration timeout = seat.timings().timeout();
            if (requestTimeout.compareTo(timeout) > 0) {
                faults.add(new Fault(
                        prefix + "request-timeout",
                        Durations.show(requestTimeout),
                        "no longer than pulse.timeout " + Durations.show(timeout) + " of seat " + seat.name()
                                + ", after which nobody waits for the answer"));
            }
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
