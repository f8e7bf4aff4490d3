package dev.baton.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns who holds the seat from the nodes themselves, each asked by a question that it answers once something changes.
 *
 * <p>A node whose connection breaks has lost its claim at once. One that stands still keeps it until it is overdue, or
 * until another one holds the seat with a higher epoch.
 */
final class SeatWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SeatWatch.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONG_QUESTION = Duration.ofSeconds(1);
    private static final Duration OVERDUE = LONG_QUESTION.plusSeconds(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(20);

    private final String seat;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofMillis(500))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final Claims claims;
    private final List<Consumer<View>> listeners = new CopyOnWriteArrayList<>();
    private final List<Thread> threads;
    private volatile View view = View.NOTHING;

    SeatWatch(String seat, List<Upstream> upstreams) {
        this.seat = seat;
        this.claims = new Claims(upstreams);
        this.threads = upstreams.stream()
                .map(upstream ->
                        Thread.ofVirtual().name("watch-" + upstream.node()).unstarted(() -> follow(upstream)))
                .toList();
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Never blocks. */
    View view() {
        return view;
    }

    /** Tells of every change of holder, on a thread of the watch; must not block. */
    void onChange(Consumer<View> listener) {
        listeners.add(listener);
    }

    private void follow(Upstream upstream) {
        long known = -1;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                JsonNode said = ask(upstream, known);
                known = said.path("version").asLong(-1);
                heard(
                        upstream,
                        new Claims.Claim(
                                said.path("era").asLong(),
                                said.path("epoch").asLong(),
                                said.path("serves").asBoolean(),
                                said.path("ready").asBoolean()));
            } catch (IOException e) {
                known = -1; // who comes back may be another process, which counts anew
                LOG.debug("{} does not answer: {}", upstream, e.toString());
                heard(upstream, Claims.Claim.NONE);
                if (!pause()) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private JsonNode ask(Upstream upstream, long known) throws IOException, InterruptedException {
        InetSocketAddress at = upstream.watch();
        URI uri = URI.create("http://" + at.getHostString() + ":" + at.getPort() + "/watch?seat="
                + URLEncoder.encode(seat, StandardCharsets.UTF_8) + "&known=" + known + "&waitMillis="
                + LONG_QUESTION.toMillis());
        HttpResponse<byte[]> response = client.send(
                HttpRequest.newBuilder(uri).timeout(OVERDUE).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException(uri + " answered " + response.statusCode() + " (expected: 200; is there a seat "
                    + seat + " at " + upstream + "?)");
        }
        return JSON.readTree(response.body());
    }

    private void heard(Upstream upstream, Claims.Claim claim) {
        View now;
        synchronized (claims) {
            boolean changed = claims.heard(upstream, claim);
            now = claims.view();
            view = now;
            if (!changed) {
                return;
            }
            // Told in the order in which they happened: who is told last knows the newest.
            listeners.forEach(listener -> listener.accept(now));
        }
        LOG.info(
                "{}: {}, epoch {}",
                seat,
                now.holder().map(holder -> holder + " holds the seat").orElse("nobody holds the seat"),
                now.epoch());
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        client.shutdownNow();
    }
}
