package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import org.redisson.Redisson;
import org.redisson.api.RIdGenerator;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's generator, which takes so many numbers at a time and hands them out from memory. */
final class RedissonIds implements Peer {

    private final RedissonClient client;
    private final RIdGenerator generator;

    RedissonIds(String endpoint, long atATime) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + endpoint);
        client = Redisson.create(config);
        generator = client.getIdGenerator("bench:" + atATime);
        generator.tryInit(1, atATime);
    }

    @Override
    public AsyncCall caller(int index) {
        return generator::nextIdAsync;
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
