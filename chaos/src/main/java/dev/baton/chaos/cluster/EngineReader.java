package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.history.Held;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Fact;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads the ledger out of an engine server itself, past the proxies and without the product's way of asking. */
public final class EngineReader {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PAGE = 200;
    private static final int NO_MESSAGE_FROM_THERE_ON = 10037;

    private final Cluster cluster;
    private final String authority;
    private final SeatId seat;

    public EngineReader(Cluster cluster, String authority) {
        this.cluster = cluster;
        this.authority = authority;
        this.seat = SeatId.of(Layout.CLUSTER, cluster.seat());
    }

    /** Everything that this server holds, the uncommitted tip included. */
    public List<Held> read(String engine) throws IOException, InterruptedException {
        String address = cluster.engineBehind(engine);
        return switch (authority) {
            case "redis" -> redis(address);
            case "etcd" -> etcd(address);
            case "nats" -> nats(address);
            default -> throw new IllegalArgumentException(NodeYaml.unknown(authority));
        };
    }

    private List<Held> redis(String address) throws IOException {
        String ledger = "baton:{" + seat.cluster() + "/" + seat.seat() + "/" + seat.era() + "}:ledger";
        List<Held> all = new ArrayList<>();
        try (RedisLine redis = RedisLine.to(address)) {
            String from = "-";
            while (true) {
                Object reply = redis.ask("XRANGE", ledger, from, "+", "COUNT", Integer.toString(PAGE));
                List<?> page = reply instanceof List<?> list ? list : List.of();
                for (Object each : page) {
                    List<?> item = (List<?>) each;
                    from = "(" + text(item.get(0));
                    List<?> fields = (List<?>) item.get(1);
                    all.add(held((byte[]) fields.get(fields.indexOf(find(fields, "e")) + 1)));
                }
                if (page.size() < PAGE) {
                    return all;
                }
            }
        }
    }

    private static Object find(List<?> fields, String name) throws IOException {
        for (int i = 0; i < fields.size(); i += 2) {
            if (text(fields.get(i)).equals(name)) {
                return fields.get(i);
            }
        }
        throw new IOException("an entry of the ledger without the field " + name);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private List<Held> etcd(String address) throws IOException, InterruptedException {
        String base = "/baton/" + seat.cluster() + "/" + seat.era() + "/" + seat.seat() + "/entry";
        List<Held> all = new ArrayList<>();
        String from = base + "/";
        NodeHttp http = new NodeHttp();
        while (true) {
            // Serializable: what this very server has, not what the majority agrees on.
            String ask = "{\"key\":\"%s\",\"range_end\":\"%s\",\"limit\":%d,\"serializable\":true}"
                    .formatted(base64(from), base64(base + "0"), PAGE);
            NodeHttp.Reply reply = http.post(address, "/v3/kv/range", ask.getBytes(StandardCharsets.UTF_8), PATIENCE);
            if (!reply.isOk()) {
                throw new IOException("status " + reply.status() + ": " + reply.body());
            }
            JsonNode found = reply.body().path("kvs");
            for (JsonNode each : found) {
                all.add(held(Base64.getDecoder().decode(each.path("value").asText())));
                from = new String(Base64.getDecoder().decode(each.path("key").asText()), StandardCharsets.UTF_8) + "\0";
            }
            if (found.size() < PAGE) {
                return all;
            }
        }
    }

    /** A replica of a stream cannot be read by itself: whichever server is asked, the stream's leader answers. */
    private List<Held> nats(String address) throws IOException {
        String path = seat.cluster() + "." + seat.era() + "." + seat.seat();
        String question = "$JS.API.STREAM.MSG.GET.baton_" + path.replace('.', '_');
        List<Held> all = new ArrayList<>();
        try (NatsLine nats = NatsLine.to(address)) {
            long next = 1;
            while (true) {
                JsonNode reply =
                        nats.ask(question, "{\"seq\":" + next + ",\"next_by_subj\":\"baton.seat." + path + "\"}");
                JsonNode message = reply.path("message");
                if (message.isMissingNode()) {
                    if (reply.path("error").path("err_code").asInt() == NO_MESSAGE_FROM_THERE_ON) {
                        return all;
                    }
                    throw new IOException("NATS answers " + reply);
                }
                next = message.path("seq").asLong() + 1;
                byte[] body = Base64.getDecoder().decode(message.path("data").asText());
                if (body.length > 0) {
                    all.add(held(body));
                }
            }
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private Held held(byte[] encoded) {
        Entry entry = EntryCodec.decode(seat, ByteBuffer.wrap(encoded));
        String opener = "";
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Opened opened) {
                opener = opened.seating().term().node().value();
            }
        }
        // How many transactions are inside is the duty's business; the ledger tells one payload.
        return new Held(
                entry.height().value(),
                entry.hash().toString(),
                entry.parent().toString(),
                entry.author().value(),
                opener,
                1,
                List.of());
    }
}
