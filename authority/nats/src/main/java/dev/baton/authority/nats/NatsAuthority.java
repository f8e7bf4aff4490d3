package dev.baton.authority.nats;

import dev.baton.authority.Authority;
import dev.baton.authority.Noticeboard;
import dev.baton.authority.nats.seat.NatsSeat;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.ClusterId;
import dev.baton.core.SeatId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** NATS JetStream keeps seats, epochs and ledgers: one active and one standby process are enough. */
public final class NatsAuthority implements Authority {

    public static final String KIND = "nats";

    private static final Logger LOG = LoggerFactory.getLogger(NatsAuthority.class);

    private final NatsSettings settings;
    private final Servers servers;
    private final Map<SeatId, NatsSeat> seats = new ConcurrentHashMap<>();

    private NatsAuthority(NatsSettings settings) {
        this.settings = settings;
        this.servers = new Servers(settings);
    }

    /**
     * Looks at the servers and at the streams of these seats, and joins if nothing stands against it. Blocks for a few
     * seconds at most.
     *
     * @throws NatsStartException with everything that is wrong, at once; nothing was written then
     */
    public static NatsAuthority open(NatsSettings settings, List<SeatId> seats) throws NatsStartException {
        StartCheck check = StartCheck.of(settings, seats, "authority.");
        check.warnings().forEach(warning -> LOG.warn("{}", warning));
        if (!check.faults().isEmpty()) {
            throw new NatsStartException(check.faults());
        }
        return openUnchecked(settings);
    }

    /** Joins without looking first: the servers may be down, and are waited for. */
    public static NatsAuthority openUnchecked(NatsSettings settings) {
        return new NatsAuthority(settings);
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public NatsSeat seat(SeatId seat) {
        return seats.computeIfAbsent(seat, id -> new NatsSeat(id, servers, settings.lease(), settings.replicas()));
    }

    /** Where the nodes of this cluster tell of themselves. */
    public Noticeboard noticeboard(ClusterId cluster) {
        return new PresenceStream(cluster, settings.replicas(), servers);
    }

    @Override
    public void close() {
        seats.values().forEach(NatsSeat::close);
        servers.close();
    }
}
