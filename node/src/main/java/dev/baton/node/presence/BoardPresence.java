package dev.baton.node.presence;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.authority.Noticeboard;
import dev.baton.core.Bytes;
import dev.baton.core.NodeId;
import dev.baton.wire.node.v1.Presence;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of this node on the engine's noticeboard, and learns there of nodes that nobody has configured here, and of those
 * that can only be heard through the engine. Thread-safe.
 */
public final class BoardPresence {

    private static final Logger LOG = LoggerFactory.getLogger(BoardPresence.class);

    private final NodeId self;
    private final Noticeboard board;
    private final Introductions introductions;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Map<NodeId, Long> numbers = new HashMap<>();
    private volatile Set<String> addresses = Set.of();

    public BoardPresence(NodeId self, Noticeboard board, Introductions introductions) {
        this.self = self;
        this.board = board;
        this.introductions = introductions;
    }

    /** Where the others on the board say that they are. */
    public Set<String> addresses() {
        return addresses;
    }

    /** Tells and reads once, in the background; not while the last time is still under way. */
    public void beat() {
        if (busy.compareAndSet(false, true)) {
            Thread.ofVirtual().name("noticeboard").start(() -> {
                try {
                    board.post(self, Bytes.wrap(introductions.own().toWire().toByteArray()));
                    read();
                } catch (RuntimeException e) {
                    LOG.error("the noticeboard failed", e); // and is tried again in a second
                } finally {
                    busy.set(false);
                }
            });
        }
    }

    private void read() {
        Set<String> found = new LinkedHashSet<>();
        for (Noticeboard.Notice notice : board.read()) {
            try {
                NodePresence other =
                        NodePresence.ofWire(Presence.parseFrom(notice.text().asBuffer()));
                if (!other.node().equals(self)) {
                    found.add(other.grpcAddress());
                    note(other, notice.number());
                }
            } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
                LOG.debug("a notice is not understood: {}", e.toString()); // of another version, or a stranger's
            }
        }
        addresses = Set.copyOf(found);
    }

    /** A notice that was up before may be that of a node which is gone: only a new one shows that it is there. */
    private void note(NodePresence other, long number) {
        Long before = numbers.put(other.node(), number);
        if (before != null && before != number) {
            introductions.overheard(other);
        }
    }
}
