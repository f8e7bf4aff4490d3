package dev.baton.authority.redis.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A few independent Redis servers. */
public final class RedisServers implements AutoCloseable {

    private final List<RedisServer> servers = new ArrayList<>();

    private RedisServers() {}

    /** So many servers that sync before each answer. */
    public static RedisServers start(int count, Path dir) {
        return start(count, dir, setup -> setup);
    }

    public static RedisServers start(int count, Path dir, UnaryOperator<RedisServer.Setup> change) {
        RedisServers all = new RedisServers();
        try {
            for (int i = 1; i <= count; i++) {
                all.servers.add(
                        change.apply(RedisServer.in(dir.resolve("redis-" + i))).start());
            }
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        return all;
    }

    /** The servers count from 0. */
    public RedisServer get(int index) {
        return servers.get(index);
    }

    public int count() {
        return servers.size();
    }

    public List<RedisServer> all() {
        return List.copyOf(servers);
    }

    public List<String> addresses() {
        return servers.stream().map(RedisServer::address).toList();
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
