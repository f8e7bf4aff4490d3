package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster of etcd. */
final class EtcdKind implements EngineKind {

    private static final int SERVERS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PAGE = 200;

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public int servers() {
        return SERVERS;
    }

    @Override
    public String settings(Layout layout, String start) {
        return "  request-timeout: 900ms\n  endpoints:\n" + EngineKind.servers(layout);
    }

    @Override
    public List<String> prepare(Layout layout, EnginePlaces server, Path folder) throws IOException {
        Path config = folder.resolve("etcd.yaml");
        Files.writeString(config, etcd(layout, server, layout.dataOf(server.name())));
        return List.of("etcd", "--config-file", config.toString());
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

    @Override
    public List<Entry> read(String address, SeatId seat) throws IOException, InterruptedException {
        String base = "/baton/" + seat.cluster() + "/" + seat.era() + "/" + seat.seat() + "/entry";
        List<Entry> all = new ArrayList<>();
        String from = base + "/";
        NodeHttp http = new NodeHttp();
        while (true) {
            // Serializable: what this very server has, not what the majority agrees on.
            String ask = "{\"key\":\"%s\",\"range_end\":\"%s\",\"limit\":%d,\"serializable\":true}"
                    .formatted(base64(from), base64(base + "0"), PAGE);
            NodeHttp.Reply reply = http.post(address, "/v3/kv/range", ask.getBytes(StandardCharsets.UTF_8), PATIENCE);
            if (!reply.isOk()) {
                throw new IOException("status " + reply.status() + ": " + reply.body());
            }
            JsonNode found = reply.body().path("kvs");
            for (JsonNode each : found) {
                all.add(Ledgers.entry(
                        seat, Base64.getDecoder().decode(each.path("value").asText())));
                from = new String(Base64.getDecoder().decode(each.path("key").asText()), StandardCharsets.UTF_8) + "\0";
            }
            if (found.size() < PAGE) {
                return all;
            }
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
