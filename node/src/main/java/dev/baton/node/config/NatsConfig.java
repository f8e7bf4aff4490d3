package dev.baton.node.config;

import dev.baton.authority.nats.StartCheck;
import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The NATS servers whose JetStream keeps the seats, and how this node treats them.
 *
 * @param credentials a user's JWT and key, instead of a user and a password
 * @param requestTimeout the longest that one call takes, whichever servers it has to try
 * @param replicas how many servers keep the stream of each seat
 */
public record NatsConfig(
        List<HostPort> servers,
        EngineAccess access,
        Optional<Path> credentials,
        Duration requestTimeout,
        int replicas) {

    static final int MOST_REPLICAS = 5;

    public NatsConfig {
        servers = List.copyOf(servers);
    }

    /** The {@code host:port} of every server. */
    public List<String> addresses() {
        return servers.stream().map(HostPort::toString).toList();
    }

    List<Fault> faults(String prefix, List<SeatConfig> seats) {
        List<Fault> faults = new ArrayList<>();
        ServerFaults.addOfList(prefix + "servers", servers, "server", "one NATS cluster, 3 as a rule", faults);
        ServerFaults.addOfLogin(prefix, access, faults);
        ServerFaults.addOfRequestTimeout(prefix, requestTimeout, seats, faults);
        if (credentials.isPresent() && access.user().isPresent()) {
            faults.add(new Fault(
                    prefix + "credentials-file", "with user beside it", "one of the two ways to log in, not both"));
        }
        if (replicas % 2 == 0) {
            faults.add(new Fault(
                    prefix + "replicas",
                    replicas + "",
                    "1, 3 or 5: an even number survives no more failures than one less"));
        }
        return faults;
    }

    /** What is allowed but rarely wanted. */
    List<String> warnings(List<SeatConfig> seats) {
        List<String> warnings = new ArrayList<>();
        if (servers.size() == 1) {
            warnings.add("authority.servers has one server: while it is away this node reaches no NATS, though others"
                    + " may run");
        }
        if (replicas == 1) {
            warnings.add("authority.replicas is 1: one server alone keeps the ledger, and takes it along when its disk"
                    + " is lost");
            return warnings;
        }
        for (SeatConfig seat : seats) {
            Duration delay = seat.timings().takeoverDelay();
            if (delay.compareTo(StartCheck.LONGEST_ELECTION) < 0) {
                warnings.add(seat.name() + ": a takeover delay of " + Durations.show(delay) + " is shorter than an"
                        + " election of NATS, which takes 4 to 9 s: whenever the stream loses its leader, the holder is"
                        + " fenced (takeover.delay and pulse.failure-threshold that span "
                        + Durations.show(StartCheck.LONGEST_ELECTION) + " ride it out)");
            }
        }
        return warnings;
    }
}
