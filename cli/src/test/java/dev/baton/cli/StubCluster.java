package dev.baton.cli;

import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three stub nodes, of which n2 leads, and the file by which commands find them. */
public final class StubCluster implements AutoCloseable {

    private final List<StubNode> nodes = new ArrayList<>();
    private final Path data;

    public StubCluster(Path data) throws IOException {
        this.data = data;
        List<ClusterFile.Member> members = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String name = "n" + i;
            StubNode node =
                    new StubNode().answers("/status", status(name, i == 2 ? "LEADER" : "FOLLOWER", 40 + i, 100 + i));
            nodes.add(node);
            members.add(
                    new ClusterFile.Member(name, 0, true, new ClusterFile.Ports(0, node.port(), 0, node.port(), 0)));
        }
        new ClusterFile("dev", "raft", 4711, members).write(data);
    }

    public static String status(String node, String standing, long height, long pid) {
        return """
                {"cluster":"dev","node":"%s","pid":%d,"seats":[{"seat":"blocks","standing":"%s","epoch":%s,\
                "holder":{"node":"n2","epoch":7},"height":%d,"ready":true,"headAgeMillis":250,\
                "explain":"because %s","lastProblem":""}]}
                """.formatted(node, pid, standing, standing.equals("LEADER") ? "7" : "null", height, node)
                .strip();
    }

    public StubNode node(int number) {
        return nodes.get(number - 1);
    }

    public Cli run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--data");
        all.add(data.toString());
        return Cli.run(all.toArray(String[]::new));
    }

    @Override
    public void close() {
        nodes.forEach(StubNode::close);
    }
}
