package dev.baton.node.presence;

import dev.baton.core.NodeId;
import java.time.Duration;
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
     * @param differences where its configuration differs although it must not; empty if nowhere
     */
    public record Sighting(NodePresence presence, List<String> differences, long seenNanos) {
        public Sighting {
            differences = List.copyOf(differences);
        }

        public boolean agrees() {
            return differences.isEmpty();
        }
    }

    void saw(NodePresence presence, List<String> differences) {
        if (presence.node().equals(self)) {
            return;
        }
        Sighting now = new Sighting(presence, differences, nanoClock.getAsLong());
        Sighting before = peers.put(presence.node(), now);
        if (!now.agrees() && (before == null || before.agrees())) {
            LOG.error(
                    "{} is configured differently where all nodes must agree: {}",
                    presence.node(),
                    String.join("; ", differences));
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

    /**
     * Why this node must not lead, if its configuration stands against that of the others.
     *
     * <p>Only the odd one out steps back: otherwise one misconfigured node would stop all the others. Of two that
     * disagree, nobody knows which is right.
     */
    public Optional<String> objection() {
        List<Sighting> present = peers.values().stream().filter(this::isPresent).toList();
        List<Sighting> against = present.stream().filter(peer -> !peer.agrees()).toList();
        int withUs = 1 + present.size() - against.size();
        if (against.isEmpty() || against.size() < withUs) {
            return Optional.empty();
        }
        Sighting first = against.getFirst();
        return Optional.of("configured differently from " + first.presence().node() + " where all nodes must agree: "
                + String.join("; ", first.differences()));
    }
}
