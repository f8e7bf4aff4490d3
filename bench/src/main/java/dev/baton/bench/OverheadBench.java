package dev.baton.bench;

import dev.baton.proxy.Proxy;
import dev.baton.proxy.ReplayRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The same requests to the holder directly, through the HTTP route and through the TCP route, one after the other. */
final class OverheadBench {

    private static final int CONNECTIONS = 64;

    /** Rounds before they count: compilers come first, in the proxy as in the node behind it. */
    private static final int WARM_ROUNDS = 5;

    private final LiveCluster cluster;
    private final Consumer<String> progress;
    private final Map<String, Sample> rates = new LinkedHashMap<>();

    OverheadBench(LiveCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
        for (String arm : List.of("direct", "http", "tcp")) {
            rates.put(arm, new Sample());
        }
    }

    void run(int rounds, long millis) throws Exception {
        String leader = cluster.awaitCalm();
        int direct = cluster.httpPorts().getOrDefault(leader, 0);
        try (Proxy proxy = HandoffBench.proxy(cluster, true, ReplayRules.STANDARD)) {
            Map<String, Integer> ports = new LinkedHashMap<>();
            ports.put("direct", direct);
            ports.put("http", proxy.httpAddress().orElseThrow().getPort());
            ports.put("tcp", proxy.tcpAddress().orElseThrow().getPort());
            for (int round = 0; round < WARM_ROUNDS + rounds; round++) {
                for (Map.Entry<String, Integer> arm : ports.entrySet()) {
                    double rate = rate(arm.getValue(), millis);
                    if (round >= WARM_ROUNDS) {
                        rateOf(arm.getKey()).add((long) (rate * 1e6)); // a sample divides by as much
                        progress.accept("%s: %.0f requests a second".formatted(arm.getKey(), rate));
                    }
                }
            }
        }
    }

    private Sample rateOf(String arm) {
        return Objects.requireNonNull(rates.get(arm), arm);
    }

    /** The share of the direct rate that this way reaches, of medians. */
    double share(String arm) {
        return rateOf(arm).medianMillis() / rateOf("direct").medianMillis();
    }

    Map<String, Object> found() {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("connections", CONNECTIONS);
        rates.forEach((arm, rate) -> found.put(arm + "PerSecond", Math.round(rate.medianMillis())));
        found.put("httpShare", Sample.rounded(share("http")));
        found.put("tcpShare", Sample.rounded(share("tcp")));
        return found;
    }

    private static double rate(int port, long millis) throws InterruptedException {
        CountDownLatch connected = new CountDownLatch(CONNECTIONS);
        List<Future<Long>> counts = new ArrayList<>();
        long beganNanos;
        long done = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                counts.add(threads.submit(() -> ask(port, millis, connected)));
            }
            connected.await();
            beganNanos = System.nanoTime();
            for (Future<Long> count : counts) {
                done += count.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a connection failed", e.getCause());
        }
        return done * 1e9 / (System.nanoTime() - beganNanos);
    }

    /** As little as possible is done here: what the client costs, it costs all ways alike and hides the difference. */
    private static long ask(int port, long millis, CountDownLatch connected) throws IOException, InterruptedException {
        byte[] request = "GET /live HTTP/1.1\r\nHost: bench\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            connected.countDown();
            connected.await();
            long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long count = 0;
            while (System.nanoTime() < untilNanos) {
                out.write(request);
                readAnswer(in, buffer);
                count++;
            }
            return count;
        }
    }

    /** The page is one line of JSON, so its answer ends with a brace and a line end. */
    private static void readAnswer(InputStream in, byte[] buffer) throws IOException {
        int length = 0;
        do {
            int read = in.read(buffer, length, buffer.length - length);
            if (read < 0) {
                throw new IOException("the connection ended within an answer");
            }
            length += read;
        } while (length < 2 || buffer[length - 1] != '\n' || buffer[length - 2] != '}');
        if (buffer[9] != '2') {
            throw new IOException(new String(buffer, 0, length, StandardCharsets.UTF_8));
        }
    }
}
