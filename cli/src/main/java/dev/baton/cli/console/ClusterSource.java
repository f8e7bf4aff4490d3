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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The pictures of all nodes as one. It follows the nodes only while somebody looks. */
final class ClusterSource implements Feed.Source {

    private final ClusterFile cluster;
    private final Map<String, ObjectNode> nodes = new TreeMap<>();
    private final NavigableMap<Long, Picture.Block> blocks = new TreeMap<>();
    private long changes;

    ClusterSource(ClusterFile cluster) {
        this.cluster = cluster;
        for (Member member : cluster.nodes()) {
            nodes.put(member.node(), down("nobody has asked it yet"));
        }
    }

    @Override
    public Feed.Watch watch(Runnable changed) {
        List<Thread> threads = new ArrayList<>();
        for (Member member : cluster.nodes()) {
            URI events = URI.create("http://127.0.0.1:" + member.ports().http() + "/console/events");
            NodeEvents following = new NodeEvents(events, new NodeEvents.Listener() {
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

    private synchronized void take(String node, JsonNode event) {
        if (event.path("state").path("nodes").path(node) instanceof ObjectNode picture) {
            picture.put("atMillis", System.currentTimeMillis());
            nodes.put(node, picture);
            changes++;
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
        return true;
    }

    private static ObjectNode down(String why) {
        return Json.object().put("state", "down").put("why", why).put("sinceMillis", System.currentTimeMillis());
    }

    @Override
    public synchronized Picture look() {
        ObjectNode state = Json.object()
                .put("source", "up")
                .put("actions", true)
                .put("cluster", cluster.cluster())
                .put("authority", cluster.authority())
                .put("nowMillis", System.currentTimeMillis());
        ObjectNode all = state.putObject("nodes");
        nodes.forEach(all::set);
        return new Picture(Long.toString(changes), Bytes.utf8(Json.line(state)), List.copyOf(blocks.values()));
    }
}
