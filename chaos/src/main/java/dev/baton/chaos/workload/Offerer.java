package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import java.util.Optional;

/** Gives transactions to the pool. */
final class Offerer extends TransactionClient {

    Offerer(String name, long seed, Scene scene) {
        super(name, seed, scene, "/mempool/submit");
    }

    @Override
    Request request(String hash) {
        return new Request.Offer(hash);
    }

    @Override
    Optional<Answer> understood(NodeHttp.Reply reply, String hash) {
        JsonNode body = reply.body();
        boolean taken = reply.isOk() && body.path("hash").asText().equals(hash);
        // Nobody else makes this one: an earlier try has brought it there.
        boolean there = body.path("reason").asText().equals("DUPLICATE");
        return taken || there ? Optional.of(new Answer.Pooled()) : Optional.empty();
    }
}
