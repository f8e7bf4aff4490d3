package dev.baton.sim;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.SeatEvent;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** An engine whose events come late now and then, though never out of order. */
final class LateEvents extends DecoratedAuthority {

    private static final double LATE = 0.2;
    private static final long AT_MOST_NANOS = 1_000_000_000L;

    private final World world;
    private final BooleanSupplier troubled;
    private long lastNanos;

    LateEvents(SeatAuthority engine, World world, BooleanSupplier troubled) {
        super(engine);
        this.world = world;
        this.troubled = troubled;
    }

    @Override
    public Watch watch(Consumer<SeatEvent> listener) {
        return super.watch(event -> {
            boolean late = troubled.getAsBoolean() && world.chance(LATE);
            long arrivesNanos = world.nowNanos() + (late ? world.between(0, AT_MOST_NANOS) : 0);
            lastNanos = Math.max(lastNanos, arrivesNanos);
            world.at(lastNanos, () -> listener.accept(event));
        });
    }
}
