package dev.baton.node.evidence;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Vigil} over the process of each other node that holds a seat, and tells the seats whose holder is gone.
 */
public final class HolderWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HolderWatch.class);

    private static final long LOOK_EVERY_MILLIS = 100;

    private final ClusterId cluster;
    private final NodeId self;
    private final List<WatchedSeat> seats;
    private final Function<String, ManagedChannel> channels;
    private final EvidenceCounts counts = new EvidenceCounts();
    private final Map<Place, Thread> vigils = new HashMap<>();
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("evidence").factory());

    /** A holder's process, and where it says that it can be reached. */
    private record Place(Holder holder, String address) {}

    /**
     * Prepares; nothing is watched before {@link #start}.
     *
     * @param channels makes a new connection to an address each time
     */
    public HolderWatch(
            ClusterId cluster, NodeId self, List<WatchedSeat> seats, Function<String, ManagedChannel> channels) {
        this.cluster = cluster;
        this.self = self;
        this.seats = List.copyOf(seats);
        this.channels = channels;
    }

    public EvidenceCounts counts() {
        return counts;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ends with the executor
    public void start() {
        beat.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            List<Place> named = seats.stream()
                    .flatMap(seat -> seat.holder().get().stream())
                    .filter(this::canBeWatched)
                    .map(by -> new Place(by.term().holder(), by.address()))
                    .toList();
            watchOnly(named);
        } catch (RuntimeException e) {
            LOG.error("looking for holders failed", e); // and is tried again at the next beat
        }
    }

    private boolean canBeWatched(Seating by) {
        return !by.term().node().equals(self) && !by.address().isEmpty();
    }

    private synchronized void watchOnly(List<Place> named) {
        vigils.entrySet().removeIf(vigil -> {
            boolean over = !named.contains(vigil.getKey());
            if (over) {
                vigil.getValue().interrupt();
            }
            return over;
        });
        if (!beat.isShutdown()) {
            named.forEach(place -> vigils.computeIfAbsent(place, this::watch));
        }
    }

    private Thread watch(Place place) {
        return Thread.ofVirtual()
                .name("vigil-" + place.holder())
                .start(new Vigil(cluster, place.holder(), () -> channels.apply(place.address()), this::claim, counts));
    }

    /** A claim names the very term that the process holds, as this node knows it now. */
    private void claim(Holder gone) {
        for (WatchedSeat seat : seats) {
            Optional<Term> term = seat.holder()
                    .get()
                    .map(Seating::term)
                    .filter(held -> held.holder().equals(gone));
            term.ifPresent(seat.evidence());
        }
    }

    @Override
    public void close() {
        beat.shutdownNow();
        watchOnly(List.of());
    }
}
