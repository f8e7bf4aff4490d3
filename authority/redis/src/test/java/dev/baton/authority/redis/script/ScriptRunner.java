package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.core.SeatId;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the scripts on a real Redis, one at a time, and reads what they left there. */
final class ScriptRunner implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisCommands<byte[], byte[]> redis;
    private final String run;

    ScriptRunner(String address, String run) {
        this.run = run;
        client = RedisClient.create("redis://" + address);
        connection = client.connect(ByteArrayCodec.INSTANCE);
        redis = connection.sync();
        for (Script script : Script.values()) {
            redis.scriptLoad(script.source().getBytes(UTF_8));
        }
    }

    /** The run id of the server. */
    String run() {
        return run;
    }

    RedisCommands<byte[], byte[]> redis() {
        return redis;
    }

    Answer take(SeatId seat, Ask ask) {
        SealedCall call = new ScriptCalls(seat).of(ask).over(run);
        List<Object> reply = send(call);
        assertThat(call.isAnsweredBy(reply)).as("the seal of %s", ask).isTrue();
        return new Replies(seat).read(reply);
    }

    List<Object> send(SealedCall call) {
        return redis.evalsha(
                call.script().digest(),
                ScriptOutputType.MULTI,
                call.keys().toArray(byte[][]::new),
                call.arguments().toArray(byte[][]::new));
    }

    /** Under the same names as {@code Acceptor.describe}; of the run id only whether it is the server's present one. */
    SortedMap<String, String> describe(SeatId seat) {
        SortedMap<String, String> all = new TreeMap<>();
        SeatKeys keys = SeatKeys.of(seat);
        redis.hgetall(key(keys.state())).forEach((field, value) -> all.put(named(text(field)), text(value)));
        if ("0".equals(all.get("height"))) {
            // Without an entry there is no tip: what stands there has no meaning.
            all.keySet().removeAll(Set.of("height", "ballot", "hash", "parent", "installs"));
        }
        all.computeIfPresent("run", (field, value) -> Boolean.toString(value.equals(run)));
        redis.xrange(key(keys.ledger()), Range.unbounded())
                .forEach(message -> all.put("ledger " + message.getId(), hash(message.getBody())));
        byte[] holder = redis.get(key(keys.seat()));
        if (holder != null) {
            all.put("seat", text(holder));
        }
        return all;
    }

    /** The state's field "seat" is the seat's name; here "seat" is who sits there. */
    private static String named(String field) {
        return field.equals("seat") ? "seat-name" : field;
    }

    /** Everything under the seat's keys, byte for byte, whatever its type; times to live aside. */
    List<String> dump(SeatId seat) {
        List<String> all = new ArrayList<>();
        for (String key : SeatKeys.of(seat).all()) {
            all.add(Arrays.toString(orEmpty(redis.dump(key(key)))));
        }
        return all;
    }

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }

    private static String hash(Map<byte[], byte[]> fields) {
        return fields.entrySet().stream()
                .filter(field -> text(field.getKey()).equals("h"))
                .map(field -> text(field.getValue()))
                .findFirst()
                .orElse("none");
    }

    static byte[] key(String name) {
        return name.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 1000, TimeUnit.MILLISECONDS);
    }
}
