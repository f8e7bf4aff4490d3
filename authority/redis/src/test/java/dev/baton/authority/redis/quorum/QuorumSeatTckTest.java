package dev.baton.authority.redis.quorum;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.authority.redis.testing.FoundingFixture;
import dev.baton.authority.tck.AuthorityTck;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.core.SeatId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The contract over pure acceptors: what fails here fails because of the quorum's rules, not because of Redis. */
class QuorumSeatTckTest extends AuthorityTck {

    private static final Duration LEASE = Duration.ofSeconds(1);

    @Override
    protected EngineFixture open(Path dir) {
        return new Fixture();
    }

    private static final class Fixture extends FoundingFixture {

        private final AcceptorNodes nodes = new AcceptorNodes(3);

        Fixture() {
            super(LEASE);
        }

        @Override
        protected Authority connect() {
            return new Seats();
        }

        @Override
        protected void found(SeatId seat) {
            nodes.found(seat);
        }

        @Override
        public void restartEngine() {
            for (int i = 1; i <= 3; i++) {
                nodes.node(i).restart();
            }
        }

        @Override
        protected void stopEngine() {
            nodes.close();
        }

        private final class Seats implements Authority {

            private final Map<SeatId, QuorumSeat> seats = new HashMap<>();

            @Override
            public String kind() {
                return "acceptors";
            }

            @Override
            public synchronized SeatAuthority seat(SeatId seat) {
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
