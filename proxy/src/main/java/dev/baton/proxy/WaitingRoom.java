package dev.baton.proxy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where requests wait for a holder: room for so many, with so many bytes, and nobody for ever. Thread-safe. */
final class WaitingRoom {

    /** How waiting ended. */
    enum Release {
        /** Somebody may hold the seat now, or it is time to try again. */
        CALLED,
        /** The patience ended. */
        TOO_LATE,
        /** There was no room. */
        FULL
    }

    /**
     * One that waits.
     *
     * @param giveUpNanos on the monotonic clock
     * @param retryNanos how long to wait at most before trying the same holder again; nothing happened may be all it needs
     * @param on where it is told
     */
    record Guest(long giveUpNanos, long retryNanos, long bytes, Executor on, Consumer<Release> told) {}

    private static final class Place {
        private final Guest guest;
        private @Nullable ScheduledFuture<?> timer;

        Place(Guest guest) {
            this.guest = guest;
        }
    }

    private final int maxRequests;
    private final long maxBytes;
    private final SeatWatch watch;
    private final ScheduledExecutorService clock;
    private final Set<Place> places = new LinkedHashSet<>();
    private long bytes;

    WaitingRoom(int maxRequests, long maxBytes, SeatWatch watch, ScheduledExecutorService clock) {
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
        this.watch = watch;
        this.clock = clock;
        watch.onChange(view -> {
            if (view.holder().isPresent()) {
                callAll();
            }
        });
    }

    /** Waits until the holder is another one than at {@code seenVersion}, if that one failed; else until there is one. */
    void enter(long seenVersion, Guest guest) {
        Place place = new Place(guest);
        synchronized (this) {
            if (places.size() >= maxRequests || bytes + guest.bytes() > maxBytes) {
                tell(place, Release.FULL);
                return;
            }
            places.add(place);
            bytes += guest.bytes();
            arm(place, guest.retryNanos());
        }
        View now = watch.view(); // it may have changed before this one was in
        if (now.holder().isPresent() && now.version() > seenVersion) {
            release(place, Release.CALLED);
        }
    }

    private void arm(Place place, long atMostNanos) {
        long leftNanos = place.guest.giveUpNanos() - System.nanoTime();
        place.timer =
                clock.schedule(() -> wake(place), Math.max(0, Math.min(leftNanos, atMostNanos)), TimeUnit.NANOSECONDS);
    }

    private void wake(Place place) {
        if (System.nanoTime() - place.guest.giveUpNanos() >= 0) {
            release(place, Release.TOO_LATE);
        } else if (watch.view().holder().isPresent()) {
            release(place, Release.CALLED);
        } else {
            synchronized (this) {
                if (places.contains(place)) {
                    arm(place, Long.MAX_VALUE); // the next holder calls it
                }
            }
        }
    }

    private void callAll() {
        List<Place> all;
        synchronized (this) {
            all = new ArrayList<>(places);
        }
        all.forEach(place -> release(place, Release.CALLED));
    }

    private void release(Place place, Release how) {
        synchronized (this) {
            if (!places.remove(place)) {
                return;
            }
            bytes -= place.guest.bytes();
            if (place.timer != null) {
                place.timer.cancel(false);
            }
        }
        tell(place, how);
    }

    private static void tell(Place place, Release how) {
        place.guest.on().execute(() -> place.guest.told().accept(how));
    }

    synchronized int waiting() {
        return places.size();
    }

    synchronized long waitingBytes() {
        return bytes;
    }
}
