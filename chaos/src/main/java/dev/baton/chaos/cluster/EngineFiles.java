package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration of an engine server, and the command that starts it. */
final class EngineFiles {

    private EngineFiles() {}

    /** Writes the file, and tells how to start the server with it. */
    static List<String> write(Layout layout, EnginePlaces self) throws IOException {
        Path folder = layout.folderOf(self.name());
        Files.createDirectories(data(folder));
        return switch (layout.authority()) {
            case "redis" -> {
                Path config = folder.resolve("redis.conf");
                Files.writeString(config, redis(self, data(folder), layout.forgetful()));
                yield List.of("redis-server", config.toString());
            }
            case "etcd" -> {
                Path config = folder.resolve("etcd.yaml");
                Files.writeString(config, etcd(layout, self, data(folder)));
                yield List.of("etcd", "--config-file", config.toString());
            }
            default -> throw new IllegalArgumentException(NodeYaml.unknown(layout.authority()));
        };
    }

    /** What a server keeps, and loses when it comes back blank. */
    static Path data(Path folder) {
        return folder.resolve("data");
    }

    private static String redis(EnginePlaces self, Path data, boolean forgetful) {
        return """
                bind %s
                port %d
                dir "%s"
                daemonize no
                appendonly yes
                appendfsync %s
                save ""
                maxmemory-policy noeviction
                notify-keyspace-events Exg
                proc-title-template "{title} {listen-addr} {config-file}"
                """.formatted(Place.BEHIND, self.client().port(), data, forgetful ? "everysec" : "always");
    }

    private static String etcd(Layout layout, EnginePlaces self, Path data) {
        String members = layout.engines().stream()
                .map(each -> each.name() + "=http://" + each.peer().shownText())
                .collect(Collectors.joining(","));
        return """
                name: %s
                data-dir: "%s"
                listen-client-urls: http://%s
                advertise-client-urls: http://%s
                listen-peer-urls: http://%s
                initial-advertise-peer-urls: http://%s
                initial-cluster: %s
                initial-cluster-state: new
                heartbeat-interval: 100
                election-timeout: 1000
                enable-grpc-gateway: true
                logger: zap
                """.formatted(
                        self.name(),
                        data.resolve("member"),
                        self.client().behindText(),
                        self.client().shownText(),
                        self.peer().behindText(),
                        self.peer().shownText(),
                        members);
    }
}
