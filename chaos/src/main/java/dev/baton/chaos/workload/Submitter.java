package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Hands transactions in, each of its own making, over HTTP. */
final class Submitter extends Client {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final NodeHttp http = new NodeHttp();
    private long count;
    private Bytes transaction = Bytes.utf8("");
    private String hash = "";

    Submitter(String name, long seed, Scene scene) {
        super(name, seed, scene);
    }

    @Override
    Request next(Random dice) {
        count++;
        transaction = Bytes.utf8(name() + " " + count + " " + Long.toHexString(dice.nextLong()));
        hash = Hash.sha256(transaction).toString();
        return new Request.Submit(hash);
    }

    @Override
    Optional<Answer> ask(String node) throws InterruptedException {
        try {
            NodeHttp.Reply reply =
                    http.post(cluster().httpForClients(node), "/submit", transaction.toArray(), PATIENCE);
            JsonNode body = reply.body();
            if (reply.isOk() && body.path("hash").asText().equals(hash)) {
                return Optional.of(new Answer.Included(
                        body.path("height").asLong(),
                        body.path("index").asInt(),
                        body.path("block").asText(),
                        body.path("duplicate").asBoolean()));
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    void mistrust() {
        // Each transaction is new anyway.
    }
}
