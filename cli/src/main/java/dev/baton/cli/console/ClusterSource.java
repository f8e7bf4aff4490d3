package dev.baton.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.console.Feed;
import dev.baton.console.Picture;
import dev.baton.core.Bytes;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The pictures of all nodes as one. It follows the nodes only while somebody looks. */
final class ClusterSource implements Feed.Source {

    private static final Duration CONNECT = Duration.ofSeconds(1);

    /** How long the first picture waits for the nodes, rather than to show them as down before they were asked. */
    private static final Duration FIRST = Duration.ofMillis(500);

    /** A node sends a picture every second while anybody looks; one that owes several is frozen, or cut off. */
    static final Duration SILENCE = Duration.ofSeconds(3);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final ClusterFile cluster;
    private final LongSupplier nanos;
    private final Map<String, ObjectNode> nodes = new TreeMap<>();
    private final Map<String, Long> heardNanos = new HashMap<>();
    private final NavigableMap<Long, Picture.Block> blocks = new TreeMap<>();
    private long changes;
    private long watchedSinceNanos;

    ClusterSource(ClusterFile cluster) {
        this(cluster, System::nanoTime);
    }

    /** @param nanos monotonic time, on which silence is measured */
    ClusterSource(ClusterFile cluster, LongSupplier nanos) {
        this.cluster = cluster;
        this.nanos = nanos;
    }

    @Override
    public Feed.Watch watch(Runnable changed) {
        forget();
        List<Thread> threads = new ArrayList<>();
        for (Member member : cluster.nodes()) {
            URI events = URI.create("http://127.0.0.1:" + member.ports().admin() + "/console/events");
            NodeEvents following = new NodeEvents(http, events, new NodeEvents.Listener() {
                @Override
                public void said(JsonNode event) {
                    take(member.node(), event);
                    changed.run();
                }

                @Override
                public void lost(String why) {
                    if (lose(member.node(), why)) {
                        changed.run();
                    }
                }
            });
            threads.add(Thread.ofVirtual().name("console-" + member.node()).start(following::follow));
        }
        return () -> threads.forEach(Thread::interrupt);
    }

    /** What was known when somebody last looked is old. */
    private synchronized void forget() {
        nodes.clear();
        watchedSinceNanos = System.nanoTime();
    }

    synchronized void take(String node, JsonNode event) {
        if (event.path("state").path("nodes").path(node) instanceof ObjectNode picture) {
            picture.put("atMillis", System.currentTimeMillis());
            nodes.put(node, picture);
            heardNanos.put(node, nanos.getAsLong());
            changes++;
            notifyAll();
        }
        for (JsonNode block : event.path("blocks")) {
            long height = block.path("height").asLong();
            blocks.putIfAbsent(height, new Picture.Block(height, Bytes.utf8(Json.line(block))));
        }
        while (blocks.size() > Picture.MOST_BLOCKS) {
            blocks.pollFirstEntry();
        }
    }

    private synchronized boolean lose(String node, String why) {
        ObjectNode known = nodes.getOrDefault(node, Json.object());
        if (known.path("state").asText().equals("down")
                && known.path("why").asText().equals(why)) {
            return false;
        }
        ObjectNode lost = down(why);
        if (known.path("state").asText().equals("down")) {
            lost.set("sinceMillis", known.path("sinceMillis"));
        }
        nodes.put(node, lost);
        changes++;
        notifyAll();
        return true;
    }

    private static ObjectNode down(String why) {
        return Json.object().put("state", "down").put("why", why).put("sinceMillis", System.currentTimeMillis());
    }

    private void awaitNodes() throws InterruptedException {
        long leftMillis =
                FIRST.minusNanos(System.nanoTime() - watchedSinceNanos).toMillis();
        while (nodes.size() < cluster.nodes().size() && leftMillis > 0) {
            wait(leftMillis);
            leftMillis = FIRST.minusNanos(System.nanoTime() - watchedSinceNanos).toMillis();
        }
        for (Member member : cluster.nodes()) {
            nodes.computeIfAbsent(member.node(), node -> down("it has not answered yet"));
        }
    }

    @Override
    public synchronized Picture look() throws InterruptedException {
        awaitNodes();
        ObjectNode state = Json.object()
                .put("source", "up")
                .put("cluster", cluster.cluster())
                .put("authority", cluster.authority())
                .put("nowMillis", System.currentTimeMillis());
        Actions.WORDS.forEach(state.putArray("actions")::add);
        ObjectNode all = state.putObject("nodes");
        StringBuilder essence = new StringBuilder(Long.toString(changes));
        nodes.forEach((node, picture) -> {
            Duration silence = silence(node, picture);
            boolean silent = silence.compareTo(SILENCE) > 0;
            all.set(node, silent ? fellSilent(picture, silence) : picture);
            essence.append(silent ? " " + node : "");
        });
        return new Picture(essence.toString(), Bytes.utf8(Json.line(state)), List.copyOf(blocks.values()));
    }

    /** How long a node that was there has said nothing. */
    private Duration silence(String node, ObjectNode picture) {
        return picture.path("state").asText().equals("up")
                ? Duration.ofNanos(nanos.getAsLong() - heardNanos.getOrDefault(node, nanos.getAsLong()))
                : Duration.ZERO;
    }

    /** Its connection is still there, so only this tells; what it said last, such as that it leads, is not shown as true. */
    private static ObjectNode fellSilent(ObjectNode picture, Duration silence) {
        ObjectNode silent = down("it says nothing for " + silence.toSeconds() + " s");
        silent.set("sinceMillis", picture.path("atMillis"));
        return silent;
    }
}
