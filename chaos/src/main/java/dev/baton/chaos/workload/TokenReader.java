package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.Reserved;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads from a node where the tokens of a namespace went. */
public final class TokenReader {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int NOT_FOUND = 404;

    private final NodeHttp http = new NodeHttp();
    private final String address;

    public TokenReader(String address) {
        this.address = address;
    }

    /** What the node holds; nothing if it knows no such namespace. */
    public Optional<Event.FinalTokens> read(long atNanos, String node, String namespace)
            throws IOException, InterruptedException {
        NodeHttp.Reply reply = http.get(address, "/tokens/history?namespace=" + namespace, PATIENCE);
        if (reply.status() == NOT_FOUND) {
            return Optional.empty();
        }
        if (!reply.isOk()) {
            throw new IOException("status " + reply.status() + ": " + reply.body());
        }
        List<Reserved> ranges = new ArrayList<>();
        for (JsonNode each : reply.body().path("stretches")) {
            ranges.add(new Reserved(
                    each.path("epoch").asLong(),
                    each.path("firstToken").asLong(),
                    each.path("endToken").asLong(),
                    each.path("firstHeight").asLong(),
                    each.path("lastHeight").asLong()));
        }
        return Optional.of(new Event.FinalTokens(
                atNanos, node, namespace, reply.body().path("rememberedFrom").asLong(), ranges));
    }
}
