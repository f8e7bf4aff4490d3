package dev.baton.sim;

import dev.baton.authority.redis.quorum.Link;
import java.util.function.BooleanSupplier;

/**
 * The way between one node and one Redis, in both directions. Messages overtake each other on it, but for pages and
 * repairs: those come in large numbers and rest on the order that a connection keeps.
 */
final class Way {

    private static final long SLOW_NANOS = 500_000_000L;
    private static final long MUCH_LATER_NANOS = 3_000_000_000L;

    private final World world;
    private final RedisFaults rough;
    private final BooleanSupplier calm;
    private long cutThereUntilNanos;
    private long cutBackUntilNanos;
    private long lastThereNanos;

    Way(World world, RedisFaults rough, BooleanSupplier calm) {
        this.world = world;
        this.rough = rough;
        this.calm = calm;
    }

    void cut(boolean there, boolean back, long forNanos) {
        long untilNanos = world.nowNanos() + forNanos;
        if (there) {
            cutThereUntilNanos = Math.max(cutThereUntilNanos, untilNanos);
        }
        if (back) {
            cutBackUntilNanos = Math.max(cutBackUntilNanos, untilNanos);
        }
    }

    void heal() {
        cutThereUntilNanos = 0;
        cutBackUntilNanos = 0;
    }

    boolean isOpen() {
        return world.nowNanos() >= cutThereUntilNanos && world.nowNanos() >= cutBackUntilNanos;
    }

    /** Carries a request; now and then it is lost, or arrives once more much later. */
    void there(Link.Lane lane, Runnable arrives) {
        if (lane == Link.Lane.BULK) {
            lastThereNanos = carry(cutThereUntilNanos, lastThereNanos, arrives);
        } else {
            carry(cutThereUntilNanos, 0, arrives);
        }
        if (!calm.getAsBoolean() && world.chance(rough.duplicated())) {
            world.after(world.between(1_000_000, MUCH_LATER_NANOS), arrives);
        }
    }

    void back(Runnable arrives) {
        carry(cutBackUntilNanos, 0, arrives);
    }

    void news(Runnable arrives) {
        if (calm.getAsBoolean() || !world.chance(rough.lostNews())) {
            back(arrives);
        }
    }

    /** When it arrives; never before {@code notBeforeNanos}. */
    private long carry(long cutUntilNanos, long notBeforeNanos, Runnable arrives) {
        boolean lost = world.nowNanos() < cutUntilNanos || (!calm.getAsBoolean() && world.chance(rough.lostMessage()));
        if (lost) {
            return notBeforeNanos;
        }
        boolean slow = !calm.getAsBoolean() && world.chance(rough.slowMessage());
        long delayNanos = slow ? world.between(0, SLOW_NANOS) : world.between(20_000, 2_000_000);
        long arrivesNanos = Math.max(notBeforeNanos, world.nowNanos() + delayNanos);
        world.at(arrivesNanos, arrives);
        return arrivesNanos;
    }
}
