package dev.baton.duty.remote.opstack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.core.Hash;
import dev.baton.duty.remote.Ancestor;
import dev.baton.duty.remote.BlockRef;
import dev.baton.duty.remote.Lease;
import dev.baton.duty.remote.Looked;
import dev.baton.duty.remote.RemoteSequencer;
import dev.baton.duty.remote.RemoteView;
import dev.baton.duty.remote.Started;
import dev.baton.duty.remote.Stopped;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An OP Stack node with its admin API switched on ({@code --rpc.enable-admin}), started with {@code
 * --sequencer.stopped}.
 *
 * <p>It knows neither terms nor leases: a node that is not told to stop works on.
 */
public final class OpStackSequencer implements RemoteSequencer {

    private static final String ALREADY_RUNNING = "sequencer already running";
    private static final String NOT_RUNNING = "sequencer not running";

    private final URI server;
    private final JsonRpc rpc;

    public OpStackSequencer(URI server, Duration callTimeout) {
        this.server = server;
        this.rpc = new JsonRpc(server, callTimeout);
    }

    @Override
    public String address() {
        return server.toString();
    }

    @Override
    public Looked look(BlockRef recorded) {
        try {
            List<JsonRpc.Answer> answers = rpc.call(List.of(
                    new JsonRpc.Call("admin_sequencerActive", List.of()),
                    new JsonRpc.Call("optimism_syncStatus", List.of()),
                    new JsonRpc.Call("opp2p_peerStats", List.of()),
                    new JsonRpc.Call("optimism_outputAtBlock", List.of("0x" + Long.toHexString(recorded.number())))));
            boolean active = result(answers.get(0)).asBoolean();
            JsonNode sync = result(answers.get(1));
            BlockRef head = block(sync.path("unsafe_l2"));
            return new Looked.Seen(new RemoteView(
                    active,
                    head,
                    sync.path("safe_l2").path("number").asLong(),
                    ancestor(recorded, head, answers.get(3)),
                    peers(answers.get(2)),
                    Optional.empty(),
                    Optional.empty()));
        } catch (IOException | IllegalArgumentException e) {
            return new Looked.Silent(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Looked.Silent("interrupted");
        }
    }

    private static JsonNode result(JsonRpc.Answer answer) throws IOException {
        return switch (answer) {
            case JsonRpc.Answer.Result(JsonNode value) -> value;
            case JsonRpc.Answer.Failed(int code, String message) -> throw new IOException(code + " " + message);
        };
    }

    private static BlockRef block(JsonNode block) {
        return new BlockRef(
                block.path("number").asLong(-1), hash(block.path("hash").asText()));
    }

    private static Hash hash(String text) {
        return Hash.parse(text.startsWith("0x") ? text.substring(2) : text);
    }

    private static Ancestor ancestor(BlockRef recorded, BlockRef head, JsonRpc.Answer answer) {
        if (head.number() < recorded.number()) {
            return new Ancestor.Lacks();
        }
        return answer instanceof JsonRpc.Answer.Result(JsonNode value)
                        && value.path("blockRef").has("hash")
                ? new Ancestor.Has(block(value.path("blockRef")).hash())
                : new Ancestor.CannotTell();
    }

    /** A node without the peer-to-peer API does not say. */
    private static OptionalLong peers(JsonRpc.Answer answer) {
        return answer instanceof JsonRpc.Answer.Result(JsonNode value) && value.has("connected")
                ? OptionalLong.of(value.path("connected").asLong())
                : OptionalLong.empty();
    }

    /** The node itself refuses unless the hash is that of its head, so nothing can slip in between. */
    @Override
    public Started start(BlockRef head, Lease lease) {
        try {
            return switch (only("admin_startSequencer", List.of("0x" + head.hash()))) {
                case JsonRpc.Answer.Result ignored -> new Started.Active();
                case JsonRpc.Answer.Failed(int code, String message) ->
                    message.contains(ALREADY_RUNNING) ? new Started.Active() : new Started.Refused(message);
            };
        } catch (IOException e) {
            return new Started.Unknown(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Started.Unknown("interrupted");
        }
    }

    @Override
    public Stopped stop(Lease lease) {
        try {
            return switch (only("admin_stopSequencer", List.of())) {
                case JsonRpc.Answer.Result(JsonNode value) -> new Stopped.Agreed(Optional.of(hash(value.asText())));
                case JsonRpc.Answer.Failed(int code, String message) ->
                    message.contains(NOT_RUNNING) ? new Stopped.Agreed(Optional.empty()) : new Stopped.Refused(message);
            };
        } catch (IOException | IllegalArgumentException e) {
            return new Stopped.Unknown(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Stopped.Unknown("interrupted");
        }
    }

    private JsonRpc.Answer only(String method, List<String> parameters) throws IOException, InterruptedException {
        return rpc.call(List.of(new JsonRpc.Call(method, parameters))).getFirst();
    }

    @Override
    public void close() {
        rpc.close();
    }
}
