package dev.baton.node;

import dev.baton.authority.Look;
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
import java.util.function.Supplier;

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
                Optional::empty,
                new Objection(redis.seat(seats.getFirst())),
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

    /**
     * Whether so many Redis nodes can be reached that leading is possible at all; asked now and then, never waited for.
     * One bad look is no objection: it would only delay a takeover that could succeed.
     */
    private static final class Objection implements Supplier<Optional<String>> {

        private static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

        private final QuorumSeat seat;
        private volatile Optional<String> last = Optional.empty();
        private volatile Optional<String> beforeLast = Optional.empty();
        private boolean asked;
        private long askedNanos;

        Objection(QuorumSeat seat) {
            this.seat = seat;
        }

        @Override
        public Optional<String> get() {
            if (isTime()) {
                var unused = seat.look().thenAccept(seen -> {
                    beforeLast = last;
                    last = objection(seen);
                });
            }
            return beforeLast.isPresent() ? last : Optional.empty();
        }

        private synchronized boolean isTime() {
            long now = System.nanoTime();
            boolean time = !asked || now - askedNanos >= EACH_NANOS;
            if (time) {
                asked = true;
                askedNanos = now;
            }
            return time;
        }

        private static Optional<String> objection(Look seen) {
            return seen instanceof Look.Unavailable(String why) ? Optional.of(why) : Optional.empty();
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
