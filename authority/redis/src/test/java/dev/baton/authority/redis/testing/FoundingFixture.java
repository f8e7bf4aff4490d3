package dev.baton.authority.redis.testing;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** An engine whose seats must be founded: done as {@code baton init} does, because the kit takes new ones as it goes. */
public abstract class FoundingFixture implements EngineFixture {

    private final Duration lease;
    private final Set<SeatId> founded = new HashSet<>();
    private final Map<NodeId, Authority> joined = new HashMap<>();

    protected FoundingFixture(Duration lease) {
        this.lease = lease;
    }

    /** A new process's connections. */
    protected abstract Authority connect();

    protected abstract void found(SeatId seat);

    /** Stops what the processes were connected to. */
    protected abstract void stopEngine();

    @Override
    public Authority join(NodeId node) {
        Authority before = joined.get(node);
        if (before != null) {
            before.close();
        }
        Authority now = new Joined(connect());
        joined.put(node, now);
        return now;
    }

    /** Nothing to do: only appends renew a lease. */
    @Override
    public void silence(NodeId node) {}

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public void close() {
        joined.values().forEach(Authority::close);
        stopEngine();
    }

    private synchronized void foundOnce(SeatId seat) {
        if (founded.add(seat)) {
            found(seat);
        }
    }

    private final class Joined implements Authority {

        private final Authority authority;

        Joined(Authority authority) {
            this.authority = authority;
        }

        @Override
        public String kind() {
            return authority.kind();
        }

        @Override
        public SeatAuthority seat(SeatId seat) {
            foundOnce(seat);
            return authority.seat(seat);
        }

        @Override
        public void close() {
            authority.close();
        }
    }
}
