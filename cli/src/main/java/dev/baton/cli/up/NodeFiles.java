package dev.baton.cli.up;

import dev.baton.cli.Durations;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.control.seal.ClusterKey;
import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.sequencer.signing.Ed25519;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes what each node reads when it starts: its configuration, and a key to sign with. */
final class NodeFiles {

    /** Where a node looks for its key, within its folder. */
    private static final String KEY = "signing-key";

    /** What all nodes share, in the cluster's folder. */
    static final String CLUSTER_KEY = "cluster.key";

    private NodeFiles() {}

    /** Writes the configuration of one node; every node's key is made if it has none yet. */
    static void write(UpSettings settings, ClusterFile cluster, Member self) throws IOException {
        Map<String, String> publicKeys = new LinkedHashMap<>();
        for (Member member : cluster.nodes()) {
            Path folder = settings.folder(member.node());
            Files.createDirectories(folder);
            LocalEd25519Signer signer =
                    LocalEd25519Signer.loadOrCreate(new NodeId(member.node()), Era.FIRST, folder.resolve(KEY));
            publicKeys.put(member.node(), Ed25519.toText(signer.publicKey()));
        }
        ClusterKey.createIfAbsent(settings.data().resolve(CLUSTER_KEY));
        if (settings.duty() == UpDuty.POSTGRES) {
            UpPasswords.make(settings.data());
            UpPasswords.letThrough(settings.data());
            UpPasswords.letThrough(settings.folder(self.node()));
        }
        Files.writeString(settings.config(self.node()), yaml(settings, cluster, self, publicKeys));
    }

    static String yaml(UpSettings settings, ClusterFile cluster, Member self, Map<String, String> publicKeys) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("# Written by baton up at every start; for a cluster of your own, copy it and change the copy.\n");
        yaml.append("cluster: ").append(cluster.cluster()).append('\n');
        yaml.append("node: ").append(self.node()).append('\n');
        yaml.append("data: .\n");
        yaml.append("listen:\n");
        yaml.append("  grpc: ").append(local(self.ports().grpc()));
        yaml.append("  http: ").append(local(self.ports().http()));
        yaml.append("  raft: ").append(local(self.ports().raft()));
        yaml.append("  admin: ").append(local(self.ports().admin()));
        // Any free port: the node's status page says which.
        yaml.append("control:\n  listen: ")
                .append(local(0))
                .append("  key: ../")
                .append(CLUSTER_KEY)
                .append('\n');
        yaml.append("authority:\n  kind: ").append(cluster.authority()).append('\n');
        SeatTimings times = ServerTimes.at(settings.interval());
        cluster.servers().ifPresentOrElse(servers -> servers(yaml, servers, times), () -> raft(yaml, cluster, self));
        yaml.append("peers:\n");
        for (Member member : cluster.nodes()) {
            yaml.append("  ").append(member.node()).append(":\n");
            yaml.append("    grpc: ").append(local(member.ports().grpc()));
            yaml.append("    http: ").append(local(member.ports().http()));
        }
        yaml.append("seats:\n  - name: ").append(settings.duty().seat());
        yaml.append("\n    duty: ").append(settings.duty().word()).append('\n');
        yaml.append("    pulse:\n      interval: ")
                .append(Durations.exact(settings.interval()))
                .append('\n');
        if (settings.duty() == UpDuty.TOKENS
                || (cluster.servers().isPresent() && !isFencedByStopping(settings.duty()))) {
            seatTimes(yaml, times);
        }
        switch (settings.duty()) {
            case SEQUENCER -> sequencer(yaml, publicKeys);
            case TOKENS ->
                yaml.append("    tokens:\n      listen: ")
                        .append(local(self.ports().duty()));
            case POSTGRES -> postgres(yaml, self);
            case REMOTE -> remote(yaml, self);
        }
        if (settings.mempool()) {
            mempool(yaml, settings, cluster, times);
        }
        return yaml.toString();
    }

    private static void mempool(StringBuilder yaml, UpSettings settings, ClusterFile cluster, SeatTimings times) {
        yaml.append("  - name: ").append(UpSettings.MEMPOOL).append("\n    duty: mempool\n");
        yaml.append("    pulse:\n      interval: ")
                .append(Durations.exact(settings.interval()))
                .append('\n');
        if (cluster.servers().isPresent()) {
            seatTimes(yaml, times);
        }
        // Blocks come quickly here, and a failover may keep a transaction waiting for some of them.
        yaml.append("    mempool:\n      url: redis://")
                .append(MempoolServer.of(cluster).address())
                .append("\n      drop-after: 60\n      claim-lease: 10s\n");
    }

    /** Their takeover waits for what must be stopped first, whatever keeps the seat. */
    private static boolean isFencedByStopping(UpDuty duty) {
        return duty == UpDuty.POSTGRES || duty == UpDuty.REMOTE;
    }

    private static void remote(StringBuilder yaml, Member self) {
        yaml.append("    remote:\n      key: ../").append(CLUSTER_KEY);
        yaml.append("\n      address: ").append(SequencerProgram.address(self)).append('\n');
    }

    private static void postgres(StringBuilder yaml, Member self) {
        yaml.append("    postgres:\n      mode: synchronous\n      listen: ")
                .append(local(self.ports().duty()))
                .append("      superuser-password-file: ../")
                .append(UpPasswords.SUPERUSER)
                .append("\n      replication-password-file: ../")
                .append(UpPasswords.REPLICATION)
                .append('\n');
    }

    private static void sequencer(StringBuilder yaml, Map<String, String> publicKeys) {
        // One folder for all nodes: it stands for the layer outside that blocks are published to.
        yaml.append("    sequencer:\n      da:\n        folder: ../").append(UpSettings.AVAILABILITY);
        yaml.append("\n      signers:\n");
        publicKeys.forEach((node, key) ->
                yaml.append("        ").append(node).append(": \"").append(key).append("\"\n"));
    }

    private static void raft(StringBuilder yaml, ClusterFile cluster, Member self) {
        // A member that has begun and finds its disk empty has forgotten its votes: it joins anew, under a new peer id.
        yaml.append("  start: ").append(self.begun() ? "join" : "bootstrap").append("\n  peers:\n");
        for (Member member : cluster.nodes()) {
            yaml.append("    ")
                    .append(member.node())
                    .append(": ")
                    .append(local(member.ports().raft()));
        }
    }

    private static void servers(StringBuilder yaml, Servers servers, SeatTimings times) {
        switch (servers.kind()) {
            // Longer than usual: all processes share this machine, which may be busy.
            case REDIS -> yaml.append("  node-timeout: 300ms\n  nodes:\n");
            case ETCD ->
                yaml.append("  request-timeout: ")
                        .append(Durations.exact(times.timeout()))
                        .append("\n  endpoints:\n");
            case NATS ->
                yaml.append("  request-timeout: ")
                        .append(Durations.exact(times.timeout()))
                        .append("\n  servers:\n");
        }
        servers.addresses()
                .forEach(address -> yaml.append("    - \"").append(address).append("\"\n"));
    }

    private static void seatTimes(StringBuilder yaml, SeatTimings times) {
        yaml.append("      timeout: ").append(Durations.exact(times.timeout())).append('\n');
        times.takeoverOverride()
                .ifPresent(delay -> yaml.append("    takeover:\n      delay: ")
                        .append(Durations.exact(delay))
                        .append('\n'));
    }

    private static String local(int port) {
        return "127.0.0.1:" + port + "\n";
    }
}
