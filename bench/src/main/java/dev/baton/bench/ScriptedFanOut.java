package dev.baton.bench;

import dev.baton.core.Bytes;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One script on several nodes at once, waiting for a majority: what any such design pays, and nothing more. */
final class ScriptedFanOut implements AutoCloseable {

    private static final String ADD = """
            return redis.call('XADD', KEYS[1], '*', 'height', ARGV[1], 'data', ARGV[2])
            """;

    /** Our own rendering of a rule that was published: is there an entry of this height anywhere in the stream? */
    private static final String SCAN_AND_ADD = """
            for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-')) do
              for i = 1, #entry[2], 2 do
                if entry[2][i] == 'height' and entry[2][i + 1] == ARGV[1] then
                  return redis.error_reply('height ' .. ARGV[1] .. ' is there')
                end
              end
            end
            return redis.call('XADD', KEYS[1], '*', 'height', ARGV[1], 'data', ARGV[2])
            """;

    /** One thread for all connections, as the engine's adapter has it: the floor must not be lower for want of care. */
    private final ClientResources resources = ClientResources.builder()
            .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(1))
            .build();

    private final RedisClient client = RedisClient.create(resources);
    private final List<StatefulRedisConnection<byte[], byte[]>> connections = new ArrayList<>();
    private final String digest;
    private long next;

    private ScriptedFanOut(List<String> nodes, String script) {
        String loaded = "";
        for (String node : nodes) {
            StatefulRedisConnection<byte[], byte[]> connection =
                    client.connect(ByteArrayCodec.INSTANCE, RedisURI.create("redis://" + node));
            connections.add(connection);
            loaded = connection.sync().scriptLoad(script);
        }
        this.digest = loaded;
    }

    static ScriptedFanOut adding(List<String> nodes) {
        return new ScriptedFanOut(nodes, ADD);
    }

    static ScriptedFanOut scanning(List<String> nodes) {
        return new ScriptedFanOut(nodes, SCAN_AND_ADD);
    }

    long next() {
        next++;
        return next;
    }

    /** Runs the script everywhere; how many nanoseconds it took until a majority had answered. */
    long append(String stream, long height, Bytes payload) {
        byte[][] keys = {stream.getBytes(StandardCharsets.UTF_8)};
        byte[][] values = {Long.toString(height).getBytes(StandardCharsets.UTF_8), payload.toArray()};
        long beganNanos = System.nanoTime();
        AtomicInteger missing = new AtomicInteger(connections.size() / 2 + 1);
        CompletableFuture<Void> majority = new CompletableFuture<>();
        for (StatefulRedisConnection<byte[], byte[]> connection : connections) {
            connection
                    .async()
                    .evalsha(digest, ScriptOutputType.VALUE, keys, values)
                    .whenComplete((id, failure) -> {
                        if (failure != null) {
                            majority.completeExceptionally(failure);
                        } else if (missing.decrementAndGet() == 0) {
                            majority.complete(null);
                        }
                    });
        }
        majority.join();
        return System.nanoTime() - beganNanos;
    }

    @Override
    public void close() {
        client.shutdown();
        resources.eventLoopGroupProvider().shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
