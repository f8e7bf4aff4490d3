package dev.baton.bench.tokens;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three NATS servers with JetStream, as they come: a majority has written a message when it is answered, none has synced it. */
record NatsServers(List<Process> processes, List<Integer> ports, List<Integer> monitors, Path folder) {

    private static final int SERVERS = 3;

    /** Returns at once; see {@link #await}. */
    static NatsServers start(Children children, String name) throws IOException {
        List<Integer> clients = children.freePorts(SERVERS);
        List<Integer> monitors = children.freePorts(SERVERS);
        List<Integer> routes = children.freePorts(SERVERS);
        String others =
                routes.stream().map(port -> "\"nats://127.0.0.1:" + port + "\"").collect(Collectors.joining(", "));
        Path folder = children.folder(name);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            Path config = folder.resolve("server-" + i + ".conf");
            Files.writeString(config, """
                    server_name: s%d
                    listen: "127.0.0.1:%d"
                    http: "127.0.0.1:%d"
                    max_payload: 2MB
                    jetstream { store_dir: "%s" }
                    cluster {
                      name: bench
                      listen: "127.0.0.1:%d"
                      routes: [%s]
                    }
                    """.formatted(
                            i, clients.get(i), monitors.get(i), folder.resolve("streams-" + i), routes.get(i), others));
            processes.add(children.start(folder.resolve("log-" + i), List.of("nats-server", "-c", config.toString())));
        }
        return new NatsServers(processes, clients, monitors, folder);
    }

    /** Waits until every server knows who leads them. */
    NatsServers await(Children children) throws InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < SERVERS; i++) {
                HttpRequest state = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + monitors.get(i) + "/jsz"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
                children.await(
                        "nats-server",
                        processes.get(i),
                        folder.resolve("log-" + i),
                        () -> http.send(state, HttpResponse.BodyHandlers.ofString())
                                .body()
                                .contains("\"leader\": \"s"));
            }
        }
        return this;
    }
}
