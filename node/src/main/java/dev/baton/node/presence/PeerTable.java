package dev.baton.node.presence;

import dev.baton.core.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other nodes, as they last told of themselves. Thread-safe. */
public final class PeerTable {

    /** Three announcements missed in a row: the node is not counted as present. */
    public static final Duration PRESENT_WITHIN = Duration.ofMillis(3500);

    /** Wall clocks may differ so much: blocks carry their time, and so do handoff tickets. */
    public static final Duration CLOCKS_DIFFER = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(PeerTable.class);

    private final NodeId self;
    private final LongSupplier nanoClock;
    private final Map<NodeId, Sighting> peers = new ConcurrentSkipListMap<>();

    public PeerTable(NodeId self, LongSupplier nanoClock) {
        this.self = self;
        this.nanoClock = nanoClock;
    }

    /**
     * A peer, and when it was last heard.
     *
     * @param differences where its configuration or its clock differs although it must not; empty if nowhere
     * @param clockAheadMillis how far this node's wall clock is ahead of the peer's
     */
    public record Sighting(NodePresence presence, List<String> differences, long clockAheadMillis, long seenNanos) {
        public Sighting {
            differences = List.copyOf(differences);
        }

        public boolean agrees() {
            return differences.isEmpty();
        }
    }

    void saw(NodePresence presence, List<String> configured, long clockAheadMillis) {
        if (presence.node().equals(self)) {
            return;
        }
        List<String> differences = new ArrayList<>(configured);
        if (Math.abs(clockAheadMillis) > CLOCKS_DIFFER.toMillis()) {
            differences.add("clock: " + Math.abs(clockAheadMillis) / 1000 + " s "
                    + (clockAheadMillis > 0 ? "ahead of" : "behind") + " that of " + presence.node()
                    + " (expected: at most " + CLOCKS_DIFFER.toSeconds() + " s apart)");
        }
        Sighting now = new Sighting(presence, differences, clockAheadMillis, nanoClock.getAsLong());
        Sighting before = peers.put(presence.node(), now);
        if (!now.agrees() && (before == null || before.agrees())) {
            LOG.error("{} differs where all nodes must agree: {}", presence.node(), String.join("; ", differences));
        }
    }

    public Collection<Sighting> all() {
        return List.copyOf(peers.values());
    }

    public Optional<Sighting> find(NodeId node) {
        return Optional.ofNullable(peers.get(node));
    }

    public boolean isPresent(Sighting sighting) {
        return age(sighting).compareTo(PRESENT_WITHIN) < 0;
    }

    public Duration age(Sighting sighting) {
        return Duration.ofNanos(nanoClock.getAsLong() - sighting.seenNanos());
    }

    public int presentCount() {
        return (int) peers.values().stream().filter(this::isPresent).count();
    }

    /** The largest difference between this node's wall clock and that of a peer that is present. */
    public long clockDifferenceMillis() {
        return peers.values().stream()
                .filter(this::isPresent)
                .mapToLong(peer -> Math.abs(peer.clockAheadMillis()))
                .max()
                .orElse(0);
    }

    /**
     * Why this node must not lead, if its configuration or its clock stands against that of the others.
     *
     * <p>Only the odd one out steps back: otherwise one misconfigured node would stop all the others. Of two that
     * disagree, nobody knows which is right. The last word of a peer that is gone still counts: a node that must not
     * lead beside it must not lead in its place, and one that agreed with it is not the odd one out because it died.
     */
    public Optional<String> objection() {
        List<Sighting> known = List.copyOf(peers.values());
        List<Sighting> against = known.stream().filter(peer -> !peer.agrees()).toList();
        int withUs = 1 + known.size() - against.size();
        if (against.isEmpty() || against.size() < withUs) {
            return Optional.empty();
        }
        Sighting first = against.getFirst();
        return Optional.of("differs from " + first.presence().node() + " where all nodes must agree: "
                + String.join("; ", first.differences())
                + " (expected: the odd one is put right; if that is not this node and the other one is gone, restart this"
                + " node)");
    }
}
