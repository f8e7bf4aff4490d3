package dev.baton.chaos.proxy;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Wire.Direction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** All trouble that is in force now, by the fault that brought it. Thread-safe. */
public final class Troubles {

    /** Says which connections a fault strikes, and how. */
    @FunctionalInterface
    public interface Strike {
        /** Nothing if this way of this connection is left alone. */
        Optional<Trouble> on(Wire wire, Direction direction);
    }

    private final Map<Integer, Strike> strikes = new ConcurrentSkipListMap<>();
    /** When a byte between a client and this node was last changed. */
    private final Map<String, Long> lastFlipNanos = new ConcurrentHashMap<>();

    public void begin(int fault, Strike strike) {
        strikes.put(fault, strike);
    }

    public void end(int fault) {
        strikes.remove(fault);
    }

    /** A byte of this connection was changed just now. */
    public void flipped(Wire wire) {
        if (wire.link() == Link.CLIENT) {
            lastFlipNanos.put(wire.to(), System.nanoTime());
        }
    }

    /** Whether a byte between any client and any node was changed since then ({@code System.nanoTime}). */
    public boolean flippedSince(long nanos) {
        return lastFlipNanos.keySet().stream().anyMatch(node -> flippedSince(node, nanos));
    }

    /**
     * Whether a byte between a client and this node was changed since then. What was said there meanwhile proves nothing:
     * plain connections have no seal.
     */
    public boolean flippedSince(String node, long nanos) {
        Long last = lastFlipNanos.get(node);
        return last != null && last - nanos >= 0;
    }

    /** What is wrong with this way of this connection now. */
    public Trouble on(Wire wire, Direction direction) {
        Trouble all = Trouble.NONE;
        for (Strike each : strikes.values()) {
            Optional<Trouble> one = each.on(wire, direction);
            if (one.isPresent()) {
                all = all.and(one.get());
            }
        }
        return all;
    }
}
