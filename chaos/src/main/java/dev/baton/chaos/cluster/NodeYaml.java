package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.signing.Ed25519;
import dev.baton.duty.sequencer.signing.LocalEd25519Signer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Writes what each node reads when it starts: it listens behind its proxies, and knows all others by theirs. */
final class NodeYaml {

    static final String NAME = "node.yaml";
    private static final String KEY = "signing-key";

    /** What a node that has lost its disk gets back from its operator, and the log, which is the harness' own. */
    static final Set<String> SURVIVES_A_LOSS = Set.of(NAME, KEY, "log");

    private NodeYaml() {}

    /**
     * Writes the files of all nodes, with a key for each to sign with.
     *
     * @param start whether members of Raft begin a cluster ({@code bootstrap}) or come back to it ({@code resume})
     */
    static void writeAll(Layout layout, String start) throws IOException {
        Map<String, String> publicKeys = new LinkedHashMap<>();
        for (NodePlaces node : layout.nodes()) {
            Path folder = layout.folderOf(node.name());
            Files.createDirectories(folder);
            layout.duty().furnish(layout.folder(), folder);
            LocalEd25519Signer signer =
                    LocalEd25519Signer.loadOrCreate(new NodeId(node.name()), Era.FIRST, folder.resolve(KEY));
            publicKeys.put(node.name(), Ed25519.toText(signer.publicKey()));
        }
        for (NodePlaces node : layout.nodes()) {
            Files.writeString(layout.folderOf(node.name()).resolve(NAME), yaml(layout, node, publicKeys, start));
        }
    }

    private static String yaml(Layout layout, NodePlaces self, Map<String, String> publicKeys, String start) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("cluster: ").append(Layout.CLUSTER).append('\n');
        yaml.append("node: ").append(self.name()).append('\n');
        yaml.append("data: .\n");
        yaml.append("advertise: ").append(Place.SHOWN).append('\n');
        yaml.append("listen:\n");
        yaml.append("  grpc: ").append(self.grpc().behindText()).append('\n');
        yaml.append("  http: ").append(self.http().behindText()).append('\n');
        if (layout.engines().isEmpty()) {
            yaml.append("  raft: ").append(self.raft().behindText()).append('\n');
        }
        yaml.append("  admin: ").append(self.admin().behindText()).append('\n');
        yaml.append("authority:\n  kind: ").append(layout.authority()).append('\n');
        yaml.append(layout.kind().settings(layout, start));
        yaml.append("peers:\n");
        for (NodePlaces node : layout.nodes()) {
            yaml.append("  ").append(node.name()).append(":\n");
            yaml.append("    grpc: ").append(node.grpc().shownText()).append('\n');
            yaml.append("    http: ").append(node.http().shownText()).append('\n');
        }
        Map<String, String> resources = new LinkedHashMap<>();
        layout.resources()
                .forEach(each -> resources.put(each.name(), each.place().shownText()));
        layout.duty()
                .companion()
                .ifPresent(word -> resources.put(word, self.duty().shownText()));
        NodeFacts facts = new NodeFacts(self.name(), self.duty().behindText(), publicKeys, resources);
        yaml.append("seats:\n").append(layout.duty().seats(facts));
        return yaml.toString();
    }
}
