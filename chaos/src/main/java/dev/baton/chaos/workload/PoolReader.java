package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.PoolRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads from a node all that the pool holds, and all that ever happened in it. */
final class PoolReader {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PAGE = 500;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final NodeHttp http = new NodeHttp();
    private final String address;

    PoolReader(String address) {
        this.address = address;
    }

    private static final class Traces {
        private final List<String> lists = new ArrayList<>();
        private final List<String> stages = new ArrayList<>();
    }

    /** Writes everything down, in pieces. */
    void take(Recorder recorder, String node) throws IOException, InterruptedException {
        long atNanos = recorder.nowNanos();
        Map<String, Traces> found = new LinkedHashMap<>();
        events(found);
        for (String list : List.of("pending", "inflight", "finalized")) {
            list(list, found);
        }
        List<PoolRecord> records = new ArrayList<>();
        found.forEach((hash, traces) -> records.add(new PoolRecord(hash, traces.lists, traces.stages)));
        for (int from = 0; from < records.size() || from == 0; from += PAGE) {
            List<PoolRecord> page = records.subList(from, Math.min(records.size(), from + PAGE));
            recorder.append(new Event.FinalPool(atNanos, node, page));
        }
    }

    private static Traces of(String hash, Map<String, Traces> found) {
        return found.computeIfAbsent(hash, unknown -> new Traces());
    }

    private void list(String list, Map<String, Traces> found) throws IOException, InterruptedException {
        long after = 0;
        JsonNode page;
        do {
            page = ask("/mempool/" + list + "?limit=" + PAGE + "&after=" + after);
            for (JsonNode each : page.path("transactions")) {
                of(each.path("hash").asText(), found)
                        .lists
                        .add(each.path("stage").asText());
            }
            after = page.path("next").asLong();
        } while (page.path("hasMore").asBoolean());
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        NodeHttp.Reply reply = http.get(address, path, PATIENCE);
        if (!reply.isOk()) {
            throw new IOException(path + ": status " + reply.status() + ": " + reply.body());
        }
        return reply.body();
    }

    /** The stream has no end; it is read up to what the pool says is its last event now. */
    private void events(Map<String, Traces> found) throws IOException, InterruptedException {
        long last = ask("/mempool/stats").path("lastEvent").asLong();
        if (last == 0) {
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/mempool/watch?after=0"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                long seen = 0;
                for (String line = lines.readLine(); line != null && seen < last; line = lines.readLine()) {
                    if (!line.isBlank()) {
                        JsonNode event = JSON.readTree(line);
                        if (event.has("error")) {
                            throw new IOException("the pool's events: " + line);
                        }
                        seen = event.path("id").asLong();
                        of(event.path("hash").asText(), found)
                                .stages
                                .add(event.path("stage").asText());
                        if (seen >= last) {
                            break;
                        }
                    }
                }
            }
            client.shutdownNow();
        }
    }
}
