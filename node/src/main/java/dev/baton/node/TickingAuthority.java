package dev.baton.node;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.SeatId;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Gives an engine without a thread the beat that it needs to notice time. */
final class TickingAuthority implements Authority {

    private static final long TICK_MILLIS = 20;

    private final Authority authority;
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("engine-tick").factory());

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    TickingAuthority(Authority authority, Runnable tick) {
        this.authority = authority;
        beat.scheduleAtFixedRate(tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public String kind() {
        return authority.kind();
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        return authority.seat(seat);
    }

    @Override
    public void close() {
        beat.shutdownNow();
        authority.close();
    }
}
