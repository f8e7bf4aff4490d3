package dev.baton.bench;

import dev.baton.proxy.Proxy;
import dev.baton.proxy.ProxySettings;
import dev.baton.proxy.ReplayRules;
import dev.baton.proxy.Upstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a client of the proxy notices of handoffs and of killed holders, while it asks for tokens at a steady rate. */
final class HandoffBench {

    private static final int PER_SECOND = 200;
    private static final long CALM_MILLIS = 2_000;
    private static final long BETWEEN_MILLIS = 300;

    /** A window round a handoff, in which its worst request is looked for. */
    private record Window(long fromNanos, long toNanos) {}

    private final LiveCluster cluster;
    private final Consumer<String> progress;
    private final Sample added = new Sample();
    private final Map<String, Object> found = new LinkedHashMap<>();
    private long failed;

    HandoffBench(LiveCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
    }

    static Proxy proxy(LiveCluster cluster, boolean tcp, ReplayRules replay) throws IOException {
        List<Upstream> upstreams = cluster.httpPorts().entrySet().stream()
                .map(node -> {
                    InetSocketAddress at = local(node.getValue());
                    return new Upstream(node.getKey(), at, Optional.of(at), Optional.empty(), Optional.of(at));
                })
                .toList();
        return Proxy.start(new ProxySettings(
                "tokens",
                upstreams,
                Optional.of(local(0)),
                Optional.empty(),
                tcp ? Optional.of(local(0)) : Optional.empty(),
                local(0),
                ProxySettings.Holding.STANDARD,
                replay,
                List.of(),
                true));
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Makes the namespace that is asked for. */
    void prepare() throws IOException, InterruptedException {
        String leader = cluster.awaitCalm();
        int port = cluster.httpPorts().getOrDefault(leader, 0);
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> made = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/tokens/namespaces?name=bench"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (made.statusCode() != 200) {
                throw new IllegalStateException("no namespace to ask for: " + made.body());
            }
        }
    }

    private static SteadyClient client(Proxy proxy, String name) {
        int port = proxy.httpAddress().orElseThrow().getPort();
        return new SteadyClient(
                PER_SECOND,
                number -> URI.create("http://127.0.0.1:" + port + "/tokens/next?namespace=bench&client=" + name
                        + "&sequence=" + number));
    }

    /** Added latency of a handoff: its slowest request, less what the median request takes while nothing happens. */
    void handedOff(int warmRounds, int rounds) throws Exception {
        cluster.awaitCalm();
        SteadyClient client;
        long calmFromNanos;
        long calmToNanos;
        List<Window> windows = new ArrayList<>();
        try (Proxy proxy = proxy(cluster, false, ReplayRules.STANDARD)) {
            try (SteadyClient steady = client(proxy, "handoff")) {
                client = steady;
                pass(CALM_MILLIS); // the first requests meet cold code, and so do the first terms of every node
                for (int round = 1; round <= warmRounds; round++) {
                    handOff(round);
                }
                pass(CALM_MILLIS);
                calmFromNanos = System.nanoTime();
                pass(CALM_MILLIS);
                calmToNanos = System.nanoTime();
                for (int round = 1; round <= rounds; round++) {
                    windows.add(handOff(round));
                }
            }
        }
        List<SteadyClient.Sent> sent = client.finished();
        Sample calm = new Sample();
        sent.stream().filter(one -> one.overlaps(calmFromNanos, calmToNanos)).forEach(one -> calm.add(one.tookNanos()));
        long calmNanos = (long) (calm.medianMillis() * 1e6);
        for (Window window : windows) {
            long worstNanos = sent.stream()
                    .filter(one -> one.overlaps(window.fromNanos(), window.toNanos()))
                    .mapToLong(SteadyClient.Sent::tookNanos)
                    .max()
                    .orElse(0);
            added.add(Math.max(0, worstNanos - calmNanos));
            progress.accept("handoff %d: the slowest request took %.0f ms more"
                    .formatted(added.size(), (worstNanos - calmNanos) / 1e6));
        }
        failed = sent.stream().filter(one -> !one.well()).count();
        found.put("handoffs", windows.size());
        found.put("requests", sent.size());
        found.put("failed", failed);
        found.put("calm", calm.summaryWithP99());
        found.put("added", added.summaryWithP99());
        if (failed > 0) {
            found.put("failure", client.lastFailure());
        }
    }

    private Window handOff(int round) throws InterruptedException {
        String leader = cluster.awaitCalm();
        List<String> others =
                cluster.nodes().stream().filter(node -> !node.equals(leader)).toList();
        long fromNanos = System.nanoTime();
        cluster.handOff(others.get(round % others.size()));
        pass(BETWEEN_MILLIS);
        return new Window(fromNanos, System.nanoTime());
    }

    double addedP99Millis() {
        return added.millisAt(0.99);
    }

    long failed() {
        return failed;
    }

    /** Kills holders; true if no more requests failed than were under way while a process died. */
    boolean killed(int rounds, boolean repeatable) throws Exception {
        cluster.awaitCalm();
        ReplayRules rules = repeatable ? ReplayRules.STANDARD : new ReplayRules(Set.of(), Set.of());
        List<Window> deaths = new ArrayList<>();
        SteadyClient client;
        try (Proxy proxy = proxy(cluster, false, rules)) {
            try (SteadyClient steady = client(proxy, repeatable ? "kill" : "killonce")) {
                client = steady;
                pass(CALM_MILLIS);
                for (int round = 1; round <= rounds; round++) {
                    String leader = cluster.awaitCalm();
                    ProcessHandle process = ProcessHandle.of(cluster.processes().getOrDefault(leader, 0L))
                            .orElseThrow();
                    long fromNanos = System.nanoTime();
                    cluster.kill(leader);
                    while (process.isAlive()) { // waiting for a stranger's end would only be told of it late
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    deaths.add(new Window(fromNanos, System.nanoTime()));
                }
                cluster.awaitCalm();
                pass(CALM_MILLIS);
            }
        }
        List<SteadyClient.Sent> sent = client.finished();
        long wrong = sent.stream().filter(one -> !one.well()).count();
        long underWay = sent.stream()
                .filter(one -> deaths.stream().anyMatch(death -> one.overlaps(death.fromNanos(), death.toNanos())))
                .count();
        long slowestNanos =
                sent.stream().mapToLong(SteadyClient.Sent::tookNanos).max().orElse(0);
        Map<String, Object> kills = new LinkedHashMap<>();
        kills.put("kills", deaths.size());
        kills.put("requests", sent.size());
        kills.put("underWay", underWay);
        kills.put("failed", wrong);
        kills.put("slowestMillis", Sample.rounded(slowestNanos / 1e6));
        found.put(repeatable ? "killedRepeatable" : "killedOnceOnly", kills);
        progress.accept(
                "%d holders killed: %d requests failed, %d were under way".formatted(deaths.size(), wrong, underWay));
        return repeatable ? wrong == 0 : wrong <= underWay;
    }

    Map<String, Object> found() {
        return found;
    }

    private static void pass(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
