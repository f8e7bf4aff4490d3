package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/** What can be wrong with the servers of any engine that runs apart from the nodes. */
final class ServerFaults {

    private static final int MOST_SERVERS = 9;
    private static final Duration SHORTEST_REQUEST = Duration.ofMillis(50);

    private ServerFaults() {}

    /**
     * Judges the list of servers.
     *
     * @param key the setting's whole name
     * @param one what a server is called, such as {@code member}
     * @param which what they belong to and how many there are as a rule
     */
    static void addOfList(String key, List<HostPort> servers, String one, String which, List<Fault> faults) {
        if (servers.isEmpty() || servers.size() > MOST_SERVERS) {
            faults.add(new Fault(
                    key,
                    servers.isEmpty() ? "none" : servers.size() + " " + one + "s",
                    "host:port of 1 to " + MOST_SERVERS + " " + one + "s of " + which));
        }
        if (new HashSet<>(servers).size() < servers.size()) {
            faults.add(new Fault(
                    key, servers.stream().map(HostPort::toString).toList().toString(), "each " + one + " once"));
        }
        servers.stream()
                .filter(server -> server.port() == 0 || server.isWildcard())
                .forEach(
                        server -> faults.add(new Fault(key, server.toString(), "an address that can be connected to")));
    }

    static void addOfLogin(String prefix, EngineAccess access, List<Fault> faults) {
        access.addFaults(prefix, faults);
        if (access.hasPassword() && access.user().isEmpty()) {
            faults.add(new Fault(prefix + "user", "missing", "the name that goes with the password"));
        }
    }

    static void addOfRequestTimeout(
            String prefix, Duration requestTimeout, List<SeatConfig> seats, List<Fault> faults) {
        String key = prefix + "request-timeout";
        if (requestTimeout.compareTo(SHORTEST_REQUEST) < 0) {
            faults.add(new Fault(key, Durations.show(requestTimeout), Durations.show(SHORTEST_REQUEST) + " or longer"));
        }
        for (SeatConfig seat : seats) {
            Duration timeout = seat.timings().timeout();
            if (requestTimeout.compareTo(timeout) > 0) {
                faults.add(new Fault(
                        key,
                        Durations.show(requestTimeout),
                        "no longer than pulse.timeout " + Durations.show(timeout) + " of seat " + seat.name()
                                + ", after which nobody waits for the answer"));
            }
        }
    }
}
