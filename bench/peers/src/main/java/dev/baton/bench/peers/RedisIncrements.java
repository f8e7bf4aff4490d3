package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;

/** {@code INCR}, all callers over one connection, which sends what it has without waiting for answers. */
final class RedisIncrements implements Peer {

    private final RedisClient client;
    private final RedisAsyncCommands<String, String> commands;

    RedisIncrements(String endpoint) {
        client = RedisClient.create("redis://" + endpoint);
        commands = client.connect().async();
    }

    @Override
    public AsyncCall caller(int index) {
        return () -> commands.incr("bench");
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
