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
 * <p>Asked by threads that wait: it answers from within the call, so that callers that ask again in the answer's own
 * callback would call each other until the stack is full.
 */
final class RedissonIds implements Peer {

    private final RedissonClient client;
    private final RIdGenerator generator;
    private final List<BlockingCall> callers = new ArrayList<>();

    RedissonIds(String endpoint, long atATime) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + endpoint);
        client = Redisson.create(config);
        generator = client.getIdGenerator("bench:" + atATime);
        generator.tryInit(1, atATime);
    }

    @Override
    public AsyncCall caller(int index) {
        while (callers.size() <= index) {
            callers.add(new BlockingCall("redisson-" + callers.size(), generator::nextId));
        }
        return callers.get(index);
    }

    @Override
    public void close() {
        callers.forEach(BlockingCall::close);
        client.shutdown();
    }
}
