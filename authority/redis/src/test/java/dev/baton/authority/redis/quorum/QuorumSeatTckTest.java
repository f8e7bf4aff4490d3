package dev.baton.authority.redis.quorum;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The contract over pure acceptors: what fails here fails because of the quorum's rules, not because of Redis. */
class QuorumSeatTckTest extends AuthorityTck {

    private static final Duration LEASE = Duration.ofSeconds(1);

    @Override
    protected EngineFixture open(Path dir) {
        return new Fixture();
    }

    private static final class Fixture implements EngineFixture {

        private final AcceptorNodes nodes = new AcceptorNodes(3);
        private final Set<SeatId> founded = new HashSet<>();
        private final Map<NodeId, Joined> joined = new HashMap<>();

        @Override
        public Authority join(NodeId node) {
            Joined before = joined.get(node);
            if (before != null) {
                before.close();
            }
            Joined now = new Joined();
            joined.put(node, now);
            return now;
        }

        @Override
        public void silence(NodeId node) {}

        @Override
        public Duration lease() {
            return LEASE;
        }

        @Override
        public void restartEngine() {
            for (int i = 1; i <= 3; i++) {
                nodes.node(i).restart();
            }
        }

        @Override
        public void close() {
            joined.values().forEach(Joined::close);
            nodes.close();
        }

        private synchronized void found(SeatId seat) {
            if (founded.add(seat)) {
                nodes.found(seat);
            }
        }

        private final class Joined implements Authority {

            private final Map<SeatId, QuorumSeat> seats = new HashMap<>();

            @Override
            public String kind() {
                return "acceptors";
            }

            @Override
            public synchronized SeatAuthority seat(SeatId seat) {
                found(seat);
                return seats.computeIfAbsent(
                        seat,
                        id -> new QuorumSeat(
                                id,
                                QuorumSettings.DEFAULT.withLease(LEASE),
                                QuorumRules.STRICT,
                                nodes.addresses(),
                                nodes.networkFor(id),
                                new TestSurroundings()));
            }

            @Override
            public synchronized void close() {
                seats.values().forEach(QuorumSeat::close);
            }
        }
    }
}
