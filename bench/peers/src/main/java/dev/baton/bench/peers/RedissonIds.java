package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import dev.baton.bench.load.BlockingCall;
import java.util.ArrayList;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RIdGenerator;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's generator, which takes so many numbers at a time and hands them out from memory.
 *
 * <p>Each caller has a generator object of its own, all of the same name, and waits on its own thread. One object for 64
 * threads (version 4.7.0) sometimes answered nobody any more after it had used up the numbers that it had taken.
 */
final class RedissonIds implements Peer {

    private final RedissonClient client;
    private final String name;
    private final List<BlockingCall> callers = new ArrayList<>();

    RedissonIds(String endpoint, long atATime) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + endpoint);
        client = Redisson.create(config);
        name = "bench:" + atATime;
        client.getIdGenerator(name).tryInit(1, atATime);
    }

    @Override
    public AsyncCall caller(int index) {
        while (callers.size() <= index) {
            RIdGenerator generator = client.getIdGenerator(name);
            callers.add(new BlockingCall("caller-" + callers.size(), generator::nextId));
        }
        return callers.get(index);
    }

    @Override
    public void close() {
        callers.forEach(BlockingCall::close);
        client.shutdown();
    }
}
