package dev.baton.duty.remote.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.core.Hash;
import dev.baton.duty.remote.BlockRef;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The part of an OP Stack node's JSON-RPC that a sidecar uses, with the words and numbers of the real one.
 *
 * <p>As there, a start needs the hash of the head, a second start or stop is an error, and nothing ends by itself.
 */
final class OpStackPages implements AutoCloseable {

    /** What the real one answers for an error of its own. */
    private static final int SERVER_ERROR = -32000;

    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_ARGUMENT = -32602;

    private static final class RpcException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int code;

        RpcException(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final PeerStore store;
    private final Production production;
    private final Following following;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    OpStackPages(InetSocketAddress at, PeerStore store, Production production, Following following) throws IOException {
        this.store = store;
        this.production = production;
        this.following = following;
        this.server = HttpServer.create(at, 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body;
            try {
                JsonNode asked = json.readTree(exchange.getRequestBody());
                body = json.writeValueAsBytes(asked.isArray() ? batch(asked) : one(asked));
            } catch (JsonProcessingException e) {
                body = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse error\"}}"
                        .getBytes(StandardCharsets.UTF_8);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private ArrayNode batch(JsonNode asked) {
        ArrayNode answers = json.createArrayNode();
        asked.forEach(call -> answers.add(one(call)));
        return answers;
    }

    private ObjectNode one(JsonNode call) {
        ObjectNode answer = json.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", call.path("id"));
        try {
            answer.set("result", result(call.path("method").asText(), call.path("params")));
        } catch (RpcException e) {
            answer.putObject("error").put("code", e.code).put("message", e.getMessage());
        }
        return answer;
    }

    private JsonNode result(String method, JsonNode parameters) throws RpcException {
        return switch (method) {
            case "admin_sequencerActive" -> json.getNodeFactory().booleanNode(production.isActive());
            case "admin_startSequencer" -> start(parameters.path(0).asText());
            case "admin_stopSequencer" -> stop();
            case "optimism_syncStatus" -> syncStatus();
            case "optimism_outputAtBlock" -> output(parameters.path(0).asText());
            case "opp2p_peerStats" -> json.createObjectNode().put("connected", following.reached());
            default ->
                throw new RpcException(METHOD_NOT_FOUND, "the method " + method + " does not exist/is not available");
        };
    }

    private JsonNode start(String hash) throws RpcException {
        Hash head;
        try {
            head = Hash.parse(hash.replaceFirst("^0x", ""));
        } catch (IllegalArgumentException e) {
            throw new RpcException(INVALID_ARGUMENT, "invalid argument 0: " + hash);
        }
        if (production.startAt(head) instanceof Production.Outcome.Refused(String why)) {
            throw new RpcException(SERVER_ERROR, why);
        }
        return json.nullNode();
    }

    private JsonNode stop() throws RpcException {
        BlockRef head =
                production.stopAtHead().orElseThrow(() -> new RpcException(SERVER_ERROR, "sequencer not running"));
        return json.getNodeFactory().textNode(show(head.hash()));
    }

    private ObjectNode syncStatus() {
        ObjectNode status = json.createObjectNode();
        status.set("unsafe_l2", block(store.head()));
        BlockRef safe = store.at(production.safeNumber()).orElse(BlockRef.NONE);
        status.set("safe_l2", block(safe));
        status.set("finalized_l2", block(safe));
        return status;
    }

    private ObjectNode output(String hexNumber) throws RpcException {
        try {
            long number = Long.decode(hexNumber);
            BlockRef found = store.at(number)
                    .orElseThrow(
                            () -> new RpcException(SERVER_ERROR, "failed to determine L2BlockRef of height " + number));
            ObjectNode output = json.createObjectNode();
            output.set("blockRef", block(found));
            return output;
        } catch (NumberFormatException e) {
            throw new RpcException(INVALID_ARGUMENT, "invalid argument 0: " + hexNumber);
        }
    }

    private ObjectNode block(BlockRef block) {
        ObjectNode shown =
                json.createObjectNode().put("hash", show(block.hash())).put("number", block.number());
        store.block(block.number())
                .ifPresent(stored -> shown.put("parentHash", show(stored.parent()))
                        .put("timestamp", TimeUnit.MILLISECONDS.toSeconds(stored.madeAtMillis())));
        return shown;
    }

    private static String show(Hash hash) {
        return "0x" + hash;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
