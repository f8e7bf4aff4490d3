package dev.baton.authority.etcd;

import dev.baton.authority.Authority;
import dev.baton.authority.etcd.seat.EtcdSeat;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.core.SeatId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An etcd cluster keeps seats, epochs and ledgers: one active and one standby process are enough. */
public final class EtcdAuthority implements Authority {

    public static final String KIND = "etcd";

    private static final Logger LOG = LoggerFactory.getLogger(EtcdAuthority.class);

    private final EtcdSettings settings;
    private final Members members;
    private final Upkeep upkeep;
    private final Map<SeatId, EtcdSeat> seats = new ConcurrentHashMap<>();

    private EtcdAuthority(EtcdSettings settings) {
        this.settings = settings;
        this.members = new Members(settings);
        this.upkeep = new Upkeep(settings, members);
    }

    /**
     * Looks at the cluster, and joins if nothing stands against it. Blocks for a few seconds at most.
     *
     * @throws EtcdStartException with everything that is wrong, at once; nothing was written then
     */
    public static EtcdAuthority open(EtcdSettings settings) throws EtcdStartException {
        StartCheck check = StartCheck.of(settings, "authority.");
        check.warnings().forEach(warning -> LOG.warn("{}", warning));
        if (!check.faults().isEmpty()) {
            throw new EtcdStartException(check.faults());
        }
        return openUnchecked(settings);
    }

    /** Joins without looking first: the members may be down, and are waited for. */
    public static EtcdAuthority openUnchecked(EtcdSettings settings) {
        return new EtcdAuthority(settings);
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public EtcdSeat seat(SeatId seat) {
        return seats.computeIfAbsent(seat, id -> new EtcdSeat(id, members, settings.leaseSeconds(), upkeep::committed));
    }

    /** How full the members are; those that do not answer are left out. Does not block, and needs no seat. */
    public CompletionStage<List<Room>> room() {
        return upkeep.room();
    }

    @Override
    public void close() {
        seats.values().forEach(EtcdSeat::close);
        members.close();
    }
}
