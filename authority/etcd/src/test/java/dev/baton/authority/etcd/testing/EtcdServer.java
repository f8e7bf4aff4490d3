package dev.baton.authority.etcd.testing;

import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.EngineServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One {@code etcd} process; whether it has found the others is a question for {@link EtcdServers#awaitLeader}. */
public final class EtcdServer extends EngineServer {

    private final String name;
    private final Path dir;
    private final int peerPort;
    private final String members;
    private final List<String> options;
    private final Optional<Certificates> tls;

    EtcdServer(
            String name,
            Path dir,
            int clientPort,
            int peerPort,
            String members,
            List<String> options,
            Optional<Certificates> tls) {
        super(dir, clientPort, "install etcd-server, 3.4 or later");
        this.name = name;
        this.dir = dir;
        this.peerPort = peerPort;
        this.members = members;
        this.options = options;
        this.tls = tls;
    }

    @Override
    protected List<String> command() {
        String client = (tls.isPresent() ? "https://" : "http://") + address();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + dir.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + members,
                "--initial-cluster-state=new",
                "--heartbeat-interval=20",
                "--election-timeout=200",
                "--logger=zap"));
        tls.ifPresent(files -> command.addAll(List.of(
                "--cert-file=" + files.certificate(),
                "--key-file=" + files.key(),
                "--trusted-ca-file=" + files.authority(),
                "--client-cert-auth=true")));
        command.addAll(options);
        return command;
    }
}
