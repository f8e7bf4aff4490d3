package dev.baton.bench.tokens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three members of a ZooKeeper, which sync their log to disk before they answer, as is the default. */
record ZooKeeperServers(List<Process> processes, List<Integer> ports, Path folder) {

    private static final int MEMBERS = 3;
    private static final byte[] SERVING = "srvr".getBytes(StandardCharsets.US_ASCII);

    /** Returns at once; see {@link #await}. */
    static ZooKeeperServers start(Children children, String name, String classPath) throws IOException {
        Path folder = children.folder(name);
        List<Integer> clients = children.freePorts(MEMBERS);
        List<Integer> others = children.freePorts(2 * MEMBERS);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            Path data = children.folder(name + "/z" + i);
            Files.writeString(data.resolve("myid"), Integer.toString(i + 1));
            Path config = folder.resolve("z" + i + ".cfg");
            Files.writeString(config, config(data, clients.get(i), others));
            processes.add(children.start(
                    folder.resolve("log-" + i),
                    JavaProgram.command(
                            List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                            "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                            List.of(config.toString())),
                    Map.of("CLASSPATH", classPath)));
        }
        return new ZooKeeperServers(processes, clients, folder);
    }

    private static String config(Path data, int port, List<Integer> others) {
        StringBuilder config = new StringBuilder("""
                tickTime=1000
                initLimit=20
                syncLimit=10
                maxClientCnxns=0
                forceSync=yes
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                clientPortAddress=127.0.0.1
                """);
        config.append("clientPort=").append(port).append('\n');
        config.append("dataDir=").append(data).append('\n');
        for (int i = 0; i < MEMBERS; i++) {
            config.append("server.%d=127.0.0.1:%d:%d\n".formatted(i + 1, others.get(2 * i), others.get(2 * i + 1)));
        }
        return config.toString();
    }

    ZooKeeperServers await(Children children) throws InterruptedException {
        for (int i = 0; i < MEMBERS; i++) {
            int port = ports.get(i);
            // "Zookeeper version: …" when it serves, "This ZooKeeper instance is not currently serving" before.
            children.await(
                    "ZooKeeper",
                    processes.get(i),
                    folder.resolve("log-" + i),
                    () -> Children.answers(port, SERVING, 'Z'));
        }
        return this;
    }

    String addresses() {
        return String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }
}
