package dev.baton.authority.raft;

import dev.baton.authority.Authority;
import dev.baton.authority.tck.EngineFixture;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/**
 * A Raft group in this process: three members for eight nodes, or one for all of them.
 *
 * <p>The elections are slow on purpose: with the default times a busy machine takes seats from tests that still work.
 */
final class RaftFixture implements EngineFixture {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final RaftSettings.Times TIMES =
            new RaftSettings.Times(Duration.ofSeconds(1), Duration.ofMillis(1500), Duration.ofSeconds(4));

    private final Path dir;
    private final Duration lease;
    private final Map<NodeId, String> peers = new TreeMap<>();
    private final Map<NodeId, RaftAuthority> members = new TreeMap<>();
    private final Map<NodeId, Authority> handles = new HashMap<>();

    private RaftFixture(Path dir, int size, Duration lease) throws Exception {
        this.dir = dir;
        this.lease = lease;
        for (int i = 1; i <= size; i++) {
            peers.put(new NodeId("n" + i), LoopbackPorts.nextAddress());
        }
        startAll();
    }

    static RaftFixture ofThree(Path dir) throws Exception {
        return new RaftFixture(dir, 3, LEASE);
    }

    /** Alone, a member cannot fall silent without being gone: there its lease ends the term of a silent holder. */
    static RaftFixture ofOne(Path dir) throws Exception {
        return new RaftFixture(dir, 1, Duration.ofMillis(1500));
    }

    private RaftSettings settings(NodeId node) {
        return RaftSettings.of(new ClusterId("tck"), node, peers, dir.resolve(node.value()), lease)
                .with(TIMES);
    }

    private void startAll() {
        peers.keySet().forEach(node -> members.put(node, RaftAuthority.start(settings(node))));
        members.values().forEach(RaftFixture::awaitLeader);
    }

    private static void awaitLeader(RaftAuthority member) {
        Awaitility.await("a leader is known")
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(() -> member.leads() || (member.leader().isPresent() && !isSelf(member)));
    }

    private static boolean isSelf(RaftAuthority member) {
        return member.leader().equals(Optional.of(member.node()));
    }

    private NodeId memberOf(NodeId node) {
        int number = Integer.parseInt(node.value().substring(1));
        return new NodeId("n" + ((number - 1) % peers.size() + 1));
    }

    @Override
    public Authority join(NodeId node) {
        NodeId home = memberOf(node);
        Authority before = handles.remove(node);
        if (before != null && (home.equals(node) || peers.size() == 1)) {
            before.close();
        }
        RaftAuthority member = members.get(home);
        if (member == null || member.isClosed()) {
            member = RaftAuthority.start(settings(home));
            members.put(home, member);
        }
        awaitLeader(member);
        Authority handle = peers.size() > 1 ? member : new Tenant(member);
        handles.put(node, handle);
        return handle;
    }

    @Override
    public void silence(NodeId node) {
        if (peers.size() > 1) {
            RaftAuthority member = members.remove(node);
            if (member != null) {
                member.close();
            }
        }
    }

    @Override
    public Duration lease() {
        return peers.size() > 1 ? TIMES.electionMin() : lease;
    }

    @Override
    public void restartEngine() {
        handles.clear();
        members.values().forEach(RaftAuthority::close);
        members.clear();
        startAll();
    }

    @Override
    public void close() {
        members.values().forEach(RaftAuthority::close);
    }
}
