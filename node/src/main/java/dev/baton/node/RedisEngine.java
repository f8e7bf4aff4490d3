package dev.baton.node;

import dev.baton.authority.redis.RedisAuthority;
import dev.baton.authority.redis.RedisStartException;
import dev.baton.authority.redis.protocol.Seated;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.core.SeatId;
import dev.baton.node.config.NodeConfig;
import java.util.List;
import java.util.Optional;

/** A few Redis nodes outside, set up as the node's configuration says. */
final class RedisEngine {

    private RedisEngine() {}

    static Engine open(NodeConfig config) throws NodeFailure {
        List<SeatId> seats =
                config.seats().stream().map(seat -> seat.id(config.cluster())).toList();
        RedisAuthority redis = open(config, seats);
        return new Engine(
                redis,
                Optional.empty(),
                Optional.of(new RedisNodes(redis)),
                Optional.empty(),
                Optional.empty(),
                Optional::empty,
                new Reachability(redis.seat(seats.getFirst())::look),
                true);
    }

    private static RedisAuthority open(NodeConfig config, List<SeatId> seats) throws NodeFailure {
        try {
            return RedisAuthority.open(RedisSetup.of(config), seats);
        } catch (RedisStartException e) {
            StringBuilder message = new StringBuilder(String.valueOf(e.getMessage()));
            if (e.faults().stream().anyMatch(fault -> fault.expected().contains("baton init"))) {
                for (SeatId seat : seats) {
                    RedisSeats.lost(config, seat)
                            .ifPresent(why -> message.append('\n').append(why));
                }
            }
            throw new NodeFailure(ExitCode.ENGINE, message.toString(), e);
        }
    }

    /** The Redis nodes as this node's operator sees and changes them. */
    private record RedisNodes(RedisAuthority redis) implements EngineNodes {

        @Override
        public List<State> of(SeatId seat) throws InterruptedException {
            return EngineNodes.compared(Asked.answer(redis.seat(seat).nodes()).orElse(List.of()).stream()
                    .map(RedisNodes::state)
                    .toList());
        }

        @Override
        public boolean areCountedHere() {
            return true;
        }

        private static State state(QuorumSeat.NodeState node) {
            return new State(
                    node.address(),
                    node.member().map(Object::toString).orElse(null),
                    node.sight()
                            .map(sight -> Copy.of(sight.promised(), sight.seat().map(Seated::seating), sight.head()))
                            .orElse(null),
                    health(node),
                    "",
                    node.trouble().orElse(""));
        }

        private static Health health(QuorumSeat.NodeState node) {
            if (node.trouble().isEmpty()) {
                return Health.WELL;
            }
            return node.blank() ? Health.BLANK : node.silent() ? Health.SILENT : Health.AMISS;
        }

        @Override
        public Optional<String> change(SeatId seat, Optional<String> leaving, Optional<String> arriving)
                throws InterruptedException {
            return Asked.answer(redis.seat(seat).changeNodes(leaving, arriving))
                    .orElse(Optional.of("not committed after " + Asked.PATIENCE.toSeconds()
                            + " s; it may still be: baton nodes shows the set"));
        }
    }
}
