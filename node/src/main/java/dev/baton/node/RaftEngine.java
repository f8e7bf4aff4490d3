package dev.baton.node;

import dev.baton.authority.raft.RaftAuthority;
import dev.baton.authority.raft.RaftSettings;
import dev.baton.authority.raft.StartFailedException;
import dev.baton.authority.raft.StorageRefusedException;
import dev.baton.authority.raft.TlsFiles;
import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.node.config.AuthorityConfig;
import dev.baton.node.config.HostPort;
import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Raft inside the node, set up as the node's configuration says. */
final class RaftEngine {

    /** What an entry may have beside the block: facts, and one part of a checkpoint. */
    private static final int ENTRY_OVERHEAD = 512 << 10;

    private RaftEngine() {}

    static Engine open(NodeConfig config, DataFolder folder) throws NodeFailure {
        RaftSettings settings = settings(config, folder);
        List<Fault> faults = settings.faults("authority.");
        if (!faults.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION, faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        }
        checkPort(config.listen().raft());
        try {
            RaftAuthority raft = config.authority().start() == AuthorityConfig.Start.JOIN
                    ? RaftAuthority.join(settings)
                    : RaftAuthority.start(settings);
            return new Engine(
                    raft,
                    Optional.of(new RaftMembership(raft)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    raft::broken,
                    () -> objection(raft),
                    false);
        } catch (StorageRefusedException e) {
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    e.getMessage()
                            + " (authority.start: bootstrap begins a new cluster, join comes into a running one)",
                    e);
        } catch (StartFailedException e) {
            throw new NodeFailure(ExitCode.ENGINE, "authority: " + e.getMessage(), e);
        }
    }

    private static Optional<String> objection(RaftAuthority raft) {
        return raft.broken()
                .or(() -> raft.isInTouch()
                        ? Optional.empty()
                        : Optional.of("no Raft leader was heard of since the start"));
    }

    private static void checkPort(HostPort address) throws NodeFailure {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address.socketAddress());
        } catch (IOException e) {
            throw new NodeFailure(
                    ExitCode.PORT_IN_USE,
                    "listen.raft: " + address + " cannot be listened on: " + e.getMessage()
                            + " (expected: a free port of this machine; stop whoever uses " + address.port()
                            + ", or configure another in authority.peers of all nodes)",
                    e);
        }
    }

    private static RaftSettings settings(NodeConfig config, DataFolder folder) {
        AuthorityConfig authority = config.authority();
        Map<NodeId, String> peers = new HashMap<>();
        authority.peers().forEach((node, address) -> peers.put(node, address.toString()));
        int largestBlock = config.seats().stream()
                .mapToInt(seat -> seat.sequencer().settings().maxBlockBytes())
                .max()
                .orElse(0);
        RaftSettings.Limits otherwise = RaftSettings.Limits.DEFAULT;
        int entryBytes = Math.max(otherwise.entryBytes(), largestBlock + ENTRY_OVERHEAD);
        return new RaftSettings(
                config.cluster(),
                config.node(),
                peers,
                authority.witness(),
                folder.sub("raft"),
                authority.start() == AuthorityConfig.Start.BOOTSTRAP,
                Authorities.longestLease(config),
                new RaftSettings.Times(
                        authority.electionTimeoutMin(), authority.electionTimeoutMax(), authority.requestTimeout()),
                new RaftSettings.Limits(
                        entryBytes, otherwise.snapshotEntries(), Math.max(otherwise.snapshotBytes(), entryBytes)),
                config.tls().map(tls -> new TlsFiles(tls.key(), tls.certificate(), tls.trust())),
                Optional.of(config.listen().raft().toString()));
    }

    private record RaftMembership(RaftAuthority raft) implements Membership {

        @Override
        public Map<NodeId, String> members() {
            Map<NodeId, String> members = new TreeMap<>();
            raft.members().forEach(member -> members.put(member.node(), member.address()));
            return members;
        }

        @Override
        public void remove(NodeId node) {
            raft.removeMember(node);
        }
    }
}
