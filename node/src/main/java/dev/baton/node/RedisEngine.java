package dev.baton.node;

import dev.baton.authority.redis.RedisAuthority;
import dev.baton.authority.redis.RedisStartException;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.core.SeatId;
import dev.baton.node.config.NodeConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

        /** A change rides on one of the holder's next entries, after the newcomer has been filled. */
        private static final Duration PATIENCE = Duration.ofSeconds(20);

        @Override
        public List<State> of(SeatId seat) throws InterruptedException {
            return await(redis.seat(seat).nodes()).orElse(List.of()).stream()
                    .map(RedisNodes::state)
                    .toList();
        }

        private static State state(QuorumSeat.NodeState node) {
            return new State(
                    node.address(),
                    node.member().map(Object::toString).orElse(null),
                    node.sight().map(sight -> sight.head().height().value()).orElse(null),
                    node.sight().map(sight -> sight.head().hash().toString()).orElse(null),
                    node.sight().map(sight -> sight.promised().value()).orElse(null),
                    node.trouble().orElse(""));
        }

        @Override
        public Optional<String> change(SeatId seat, Optional<String> leaving, Optional<String> arriving)
                throws InterruptedException {
            return await(redis.seat(seat).changeNodes(leaving, arriving))
                    .orElse(Optional.of("not committed after " + PATIENCE.toSeconds()
                            + " s; it may still be: baton nodes shows the set"));
        }

        /** What was answered; nothing if it took too long. */
        private static <T> Optional<T> await(CompletionStage<T> asked) throws InterruptedException {
            try {
                return Optional.of(asked.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                return Optional.empty();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the Redis authority broke", e.getCause());
            }
        }
    }
}
