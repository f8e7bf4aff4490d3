package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Held;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the blocks of a node over its public API, past the proxies. */
public final class BlockReader {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int PAGE = 500;

    private final NodeHttp http = new NodeHttp();
    private final String address;

    public BlockReader(String address) {
        this.address = address;
    }

    /** Writes down all that a node's store holds. */
    static void takeStore(Scene scene, String node) throws IOException, InterruptedException {
        BlockReader reader = new BlockReader(scene.cluster().httpBehind(node));
        long next = 1;
        for (List<Held> page = reader.from(next); !page.isEmpty(); page = reader.from(next)) {
            long atNanos = scene.recorder().nowNanos();
            List<Held> listed = new ArrayList<>();
            for (Held block : page) {
                listed.add(reader.listed(block));
            }
            scene.recorder().append(new Event.FinalStore(atNanos, node, listed));
            next = page.getLast().height() + 1;
        }
    }

    /** The blocks from a height on, as many as come at once; only the number of their transactions is told. */
    public List<Held> from(long height) throws IOException, InterruptedException {
        NodeHttp.Reply reply = http.get(address, "/blocks?from=" + height + "&limit=" + PAGE, PATIENCE);
        if (!reply.isOk()) {
            throw new IOException("status " + reply.status());
        }
        List<Held> blocks = new ArrayList<>();
        for (JsonNode block : reply.body().path("blocks")) {
            blocks.add(held(block, List.of()));
        }
        return blocks;
    }

    /** The same block with the hashes of its transactions. */
    public Held listed(Held block) throws IOException, InterruptedException {
        if (block.isListed()) {
            return block;
        }
        NodeHttp.Reply reply = http.get(address, "/blocks/" + block.height(), PATIENCE);
        if (!reply.isOk()) {
            throw new IOException("status " + reply.status());
        }
        List<String> transactions = new ArrayList<>();
        reply.body()
                .path("body")
                .forEach(each -> transactions.add(each.path("hash").asText()));
        return held(reply.body(), transactions);
    }

    private static Held held(JsonNode block, List<String> transactions) {
        return new Held(
                block.path("height").asLong(),
                block.path("hash").asText(),
                block.path("parent").asText(),
                block.path("epoch").asLong(),
                // Not the signer: a block of an ended term may be signed by whoever repaired it.
                block.path("opens").asText(""),
                block.path("transactions").asInt(),
                transactions);
    }
}
