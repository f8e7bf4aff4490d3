package dev.baton.authority.raft;

import dev.baton.authority.Promotion;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.Bytes;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that carry nothing any more and never say so, as when a router on the way has forgotten them. */
final class DumbConnectionsTest {

    @TempDir
    private Path dir;

    private final Map<NodeId, Relay> relays = new HashMap<>();

    /** Once it got nothing for as long as the leader led: with the next member that failed, the majority was gone. */
    @Test
    void aFollowerIsReachedAgainAfterItsConnectionsHaveGoneDumb() throws Exception {
        try (Group group = Group.of(3, dir, this::behindARelay)) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("heard by all"));
            group.awaitHeight(3, 1);

            Objects.requireNonNull(relays.get(Group.node(3))).silenceOpenConnections();

            group.commit(1, elected, Bytes.utf8("sent over new connections"));
            group.awaitHeight(3, 2);
        } finally {
            for (Relay relay : relays.values()) {
                relay.close();
            }
        }
    }

    private RaftSettings behindARelay(RaftSettings settings) {
        try {
            String behind = LoopbackPorts.nextAddress();
            relays.put(
                    settings.node(),
                    Relay.between(Objects.requireNonNull(settings.peers().get(settings.node())), behind));
            return settings.withListen(behind);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
