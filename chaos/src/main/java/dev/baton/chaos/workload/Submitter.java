package dev.baton.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.NodeHttp;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Request;
import java.util.Optional;

/** Hands transactions in to be put into a block. */
final class Submitter extends TransactionClient {

    Submitter(String name, long seed, Scene scene) {
        super(name, seed, scene, "/submit");
    }

    @Override
    Request request(String hash) {
        return new Request.Submit(hash);
    }

    @Override
    Optional<Answer> understood(NodeHttp.Reply reply, String hash) {
        JsonNode body = reply.body();
        return reply.isOk() && body.path("hash").asText().equals(hash)
                ? Optional.of(new Answer.Included(
                        body.path("height").asLong(),
                        body.path("index").asInt(),
                        body.path("block").asText(),
                        body.path("duplicate").asBoolean()))
                : Optional.empty();
    }
}
