package dev.baton.authority.redis;

import dev.baton.authority.Authority;
import dev.baton.authority.redis.lettuce.LettuceNodes;
import dev.baton.authority.redis.quorum.QuorumRules;
import dev.baton.authority.redis.quorum.QuorumSeat;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few independent Redis nodes keep seats, epochs and ledgers: one active and one standby process are enough.
 *
 * <p>Seats are founded first, see {@link Founding}: whoever merely joins must not re-create a lost cluster.
 */
public final class RedisAuthority implements Authority {

    public static final String KIND = "redis";

    private static final String PREFIX = "authority.";

    /** Whoever starts again with the Redis nodes is not to end because it was quicker. */
    private static final Duration MAJORITY_WITHIN = Duration.ofSeconds(20);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(RedisAuthority.class);

    private final RedisSettings settings;
    private final LettuceNodes nodes;
    private final Map<SeatId, QuorumSeat> seats = new ConcurrentHashMap<>();

    private RedisAuthority(RedisSettings settings) {
        this.settings = settings;
        this.nodes = LettuceNodes.open(settings);
    }

    /**
     * Looks at the nodes, and joins if nothing stands against it. Nodes that are still on their way, as after a power cut,
     * are waited for; everything else that is wrong is told after a few seconds at most.
     *
     * @param seats the seats that must have been founded
     * @throws RedisStartException with everything that is wrong, at once; nothing was written then
     */
    public static RedisAuthority open(RedisSettings settings, List<SeatId> seats) throws RedisStartException {
        StartCheck check = awaitCheck(settings, seats);
        check.warnings().forEach(warning -> LOG.warn("{}", warning));
        if (!check.faults().isEmpty()) {
            throw new RedisStartException(check.faults());
        }
        RedisAuthority joined = openUnchecked(settings);
        joined.awaitMajority();
        return joined;
    }

    private static StartCheck awaitCheck(RedisSettings settings, List<SeatId> seats) {
        long giveUpNanos = System.nanoTime() + MAJORITY_WITHIN.toNanos();
        StartCheck check = StartCheck.of(settings, seats, PREFIX);
        while (check.lacksOnlyNodes() && System.nanoTime() - giveUpNanos < 0) {
            LOG.warn(
                    "waiting for a majority of the Redis nodes, for at most {} s more; away: {}",
                    Math.max(
                            1, Duration.ofNanos(giveUpNanos - System.nanoTime()).toSeconds()),
                    check.faults());
            try {
                Thread.sleep(BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return check;
            }
            check = StartCheck.of(settings, seats, PREFIX);
        }
        return check;
    }

    /** They answered a moment ago. If they do not now, the seats say so; there is no need to fail here. */
    private void awaitMajority() {
        try {
            nodes.awaitReachable(settings.majority(), CONNECT_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Joins without looking first: the nodes may be down, and are waited for. */
    public static RedisAuthority openUnchecked(RedisSettings settings) {
        return new RedisAuthority(settings);
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public QuorumSeat seat(SeatId seat) {
        return seats.computeIfAbsent(
                seat,
                id -> new QuorumSeat(
                        id,
                        settings.quorum(),
                        QuorumRules.STRICT,
                        settings.nodes(),
                        nodes.networkFor(id),
                        nodes.surroundings()));
    }

    @Override
    public void close() {
        seats.values().forEach(QuorumSeat::close);
        nodes.close();
    }
}
