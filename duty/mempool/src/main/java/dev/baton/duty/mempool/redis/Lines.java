package dev.baton.duty.mempool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.core.timing.Fault;
import dev.baton.duty.mempool.UnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The connections to one Redis. A call waits no longer than it was told; while Redis is away calls fail at once, and when
 * it is back they succeed again.
 */
final class Lines implements AutoCloseable {

    /** Commands that wait for answers, per connection: more would only fill memory while Redis hangs. */
    private static final int MOST_WAITING = 10_000;

    private final RedisMempoolSettings settings;
    private final ClientResources resources;
    private final RedisClient client;
    private final List<StatefulRedisConnection<byte[], byte[]>> connections = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    private Lines(RedisMempoolSettings settings) {
        this.settings = settings;
        this.resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(
                        Delay.exponential(Duration.ofMillis(10), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
                .build();
        RedisURI uri = RedisURI.create(settings.url());
        uri.setTimeout(settings.timeout());
        uri.setClientName("baton-mempool");
        // Older servers do not know what these two are asked with.
        uri.setLibraryName("");
        uri.setLibraryVersion("");
        this.client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MOST_WAITING)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.timeout())
                        .build())
                .build());
    }

    static Lines open(RedisMempoolSettings settings) {
        Lines lines = new Lines(settings);
        try {
            for (int i = 0; i < settings.connections(); i++) {
                lines.connections.add(lines.connect());
            }
            return lines;
        } catch (RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    /** One more connection, for somebody who blocks on it. */
    StatefulRedisConnection<byte[], byte[]> connect() {
        try {
            return client.connect(ByteArrayCodec.INSTANCE);
        } catch (RedisException e) {
            throw unavailable(e, false);
        }
    }

    /** Runs a script: by its digest, and by its source where Redis does not know it yet. */
    List<Object> run(Script script, byte[][] keys, byte[]... arguments) {
        RedisAsyncCommands<byte[], byte[]> line = line();
        try {
            return await(line.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments), settings.timeout());
        } catch (RedisNoScriptException e) {
            return ask(to -> to.eval(script.source().getBytes(UTF_8), ScriptOutputType.MULTI, keys, arguments));
        }
    }

    /** Runs a script many times over one connection, without waiting in between; the answers are in that order. */
    List<List<Object>> runAll(Script script, byte[][] keys, List<byte[][]> arguments) {
        if (arguments.size() == 1) {
            return List.of(run(script, keys, arguments.getFirst()));
        }
        int next = Math.floorMod(turn.getAndIncrement(), connections.size());
        List<AsyncCommand<byte[], byte[], List<Object>>> sent = arguments.stream()
                .map(each -> new AsyncCommand<>(new Command<>(
                        CommandType.EVALSHA, new ArrayOutput<>(ByteArrayCodec.INSTANCE), call(script, keys, each))))
                .toList();
        connections.get(next).dispatch(sent);
        List<List<Object>> answers = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            try {
                answers.add(await(sent.get(i), settings.timeout()));
            } catch (RedisNoScriptException e) {
                answers.add(run(script, keys, arguments.get(i)));
            }
        }
        return answers;
    }

    private static CommandArgs<byte[], byte[]> call(Script script, byte[][] keys, byte[][] arguments) {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script.digest())
                .add(keys.length)
                .addKeys(keys)
                .addValues(arguments);
    }

    <T> T ask(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> question) {
        return await(question.apply(line()), settings.timeout());
    }

    private RedisAsyncCommands<byte[], byte[]> line() {
        int next = Math.floorMod(turn.getAndIncrement(), connections.size());
        return connections.get(next).async();
    }

    private <T> T await(RedisFuture<T> answer, Duration patience) {
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while Redis was asked", true, e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new UnavailableException(address() + ": no answer within " + patience, true, e);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    private RuntimeException failure(Throwable cause) {
        if (cause instanceof RedisNoScriptException unknown) {
            return unknown;
        }
        if (cause instanceof RedisCommandExecutionException refused) {
            String said = String.valueOf(refused.getMessage());
            if (said.contains("WRONGTYPE")) {
                return new RedisRefusedException(List.of(new Fault(
                        settings.keyPrefix() + "*", said, "only keys of ours: move the other program's away")));
            }
            return new UnavailableException(address() + " refused: " + said, false, refused);
        }
        return unavailable(cause, true);
    }

    private UnavailableException unavailable(Throwable cause, boolean perhapsDone) {
        return new UnavailableException(address() + ": " + cause.getMessage(), perhapsDone, cause);
    }

    /** Without a password. */
    String address() {
        return settings.url().replaceAll("//[^@/]*@", "//");
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
