package dev.baton.bench.tokens;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three members of etcd, as they come: each syncs its log to disk before it answers. */
record EtcdServers(List<Process> processes, List<Integer> ports, Path folder) {

    private static final int MEMBERS = 3;

    /** Returns at once; see {@link #await}. */
    static EtcdServers start(Children children, String name) throws IOException {
        List<Integer> clients = children.freePorts(MEMBERS);
        List<Integer> peers = children.freePorts(MEMBERS);
        List<String> cluster = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            cluster.add("m" + i + "=" + url(peers.get(i)));
        }
        Path folder = children.folder(name);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            processes.add(children.start(
                    folder.resolve("log-" + i),
                    List.of(
                            "etcd",
                            "--name",
                            "m" + i,
                            "--data-dir",
                            folder.resolve("m" + i).toString(),
                            "--listen-client-urls",
                            url(clients.get(i)),
                            "--advertise-client-urls",
                            url(clients.get(i)),
                            "--listen-peer-urls",
                            url(peers.get(i)),
                            "--initial-advertise-peer-urls",
                            url(peers.get(i)),
                            "--initial-cluster",
                            String.join(",", cluster),
                            "--logger",
                            "zap",
                            "--log-level",
                            "error")));
        }
        return new EtcdServers(processes, clients, folder);
    }

    EtcdServers await(Children children) throws InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < MEMBERS; i++) {
                HttpRequest health = HttpRequest.newBuilder(URI.create(url(ports.get(i)) + "/health"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
                children.await(
                        "etcd",
                        processes.get(i),
                        folder.resolve("log-" + i),
                        () -> http.send(health, HttpResponse.BodyHandlers.ofString())
                                .body()
                                .contains("\"true\""));
            }
        }
        return this;
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** All members, joined by commas. */
    String endpoints() {
        return String.join(",", ports.stream().map(EtcdServers::url).toList());
    }
}
