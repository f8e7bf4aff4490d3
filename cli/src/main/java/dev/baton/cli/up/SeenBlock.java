package dev.baton.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;

/**
 * A block as a node's stream shows it.
 *
 * @param node who made it; empty where the stream does not say: the signature may come later than the block
 */
record SeenBlock(long height, String hash, String parent, long epoch, String node, long transactions, long timeMillis)
        implements Seen {

    static SeenBlock of(JsonNode block) {
        return new SeenBlock(
                block.path("height").asLong(),
                block.path("hash").asText(),
                block.path("parent").asText(),
                block.path("epoch").asLong(),
                block.path("signer").asText(block.path("opens").asText("")),
                block.path("transactions").asLong(),
                block.path("timeMillis").asLong());
    }

    SeenBlock madeBy(String maker) {
        return new SeenBlock(height, hash, parent, epoch, maker, transactions, timeMillis);
    }

    @Override
    public ObjectNode toJson() {
        return Json.object()
                .put("height", height)
                .put("hash", hash)
                .put("epoch", epoch)
                .put("node", node)
                .put("transactions", transactions)
                .put("timeMillis", timeMillis);
    }

    @Override
    public String toLine() {
        return "block " + height + "  " + hash.substring(0, Math.min(12, hash.length())) + "  epoch " + epoch + "  "
                + node + "  " + transactions + (transactions == 1 ? " transaction" : " transactions");
    }
}
