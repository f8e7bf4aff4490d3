package dev.baton.cli.up;

import dev.baton.cli.cluster.ClusterFile.Server;
import dev.baton.cli.cluster.ClusterFile.Servers;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** What each server of {@code up} reads when it starts. */
final class ServerFiles {

    private ServerFiles() {}

    static String configuration(Servers cluster, Server server, Path config) {
        return switch (cluster.kind()) {
            case REDIS -> redis(server, config.resolveSibling(""));
            case ETCD -> etcd(cluster, server, config);
            case NATS -> nats(cluster, server, config);
        };
    }

    private static String redis(Server server, Path folder) {
        return """
                # Written by baton up at every start. What each line is for: docs/guides/redis.md
                bind 127.0.0.1
                port %d
                dir %s
                daemonize no
                appendonly yes
                appendfsync always
                save ""
                maxmemory-policy noeviction
                notify-keyspace-events Exg
                proc-title-template "{title} {listen-addr} {config-file}"
                """.formatted(server.port(), quoted(folder));
    }

    /** Elections quicker than usual, since all members share this machine; not so quick that a busy one causes them. */
    private static String etcd(Servers cluster, Server server, Path config) {
        String members = cluster.own().stream()
                .map(member -> member.name() + "=http://127.0.0.1:" + member.peerPort())
                .collect(Collectors.joining(","));
        return """
                # Written by baton up at every start. What it means: docs/reference/etcd.md
                name: %1$s
                data-dir: %2$s
                listen-client-urls: http://%3$s
                advertise-client-urls: http://%3$s
                listen-peer-urls: http://127.0.0.1:%4$d
                initial-advertise-peer-urls: http://127.0.0.1:%4$d
                initial-cluster: %5$s
                initial-cluster-state: new
                heartbeat-interval: 50
                election-timeout: 500
                quota-backend-bytes: 2147483648
                auto-compaction-mode: periodic
                auto-compaction-retention: 10m
                logger: zap
                """.formatted(
                        server.name(),
                        quoted(config.resolveSibling("member-data")),
                        server.address(),
                        server.peerPort(),
                        members);
    }

    /**
     * Three servers, one cluster; messages of 2 MiB, because an entry of 1 MiB does not fit into the usual 1 MiB; and pings, by
     * which a dumb connection is found out within seconds instead of minutes.
     */
    private static String nats(Servers cluster, Server server, Path config) {
        String routes = cluster.own().stream()
                .map(member -> "\"nats://127.0.0.1:" + member.peerPort() + "\"")
                .collect(Collectors.joining(", "));
        return """
                # Written by baton up at every start. What it means: docs/reference/nats.md
                server_name: %1$s
                listen: "%2$s"
                max_payload: 2MB
                ping_interval: "2s"
                ping_max: 2
                write_deadline: "2s"
                jetstream { store_dir: %3$s }
                cluster {
                  name: baton-up
                  listen: "127.0.0.1:%4$d"
                  routes: [%5$s]
                }
                """.formatted(
                server.name(), server.address(), quoted(config.resolveSibling("streams")), server.peerPort(), routes);
    }

    private static String quoted(Path path) {
        return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
