package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import dev.baton.bench.load.BlockingCall;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.atomic.AtomicValue;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.atomic.PromotedToLock;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.retry.RetryNTimes;

/**
 * Curator's counter: optimistic, and after a few failed attempts under a lock, as its documentation has it; without the
 * lock most callers would give up.
 */
final class CuratorCounter implements Peer {

    private static final int OPTIMISTIC_TRIES = 3;

    private final CuratorFramework client;
    private final DistributedAtomicLong counter;
    private final List<BlockingCall> callers = new ArrayList<>();

    CuratorCounter(String endpoints) throws InterruptedException {
        client = CuratorFrameworkFactory.newClient(endpoints, new ExponentialBackoffRetry(100, 5));
        client.start();
        client.blockUntilConnected();
        counter = new DistributedAtomicLong(
                client,
                "/bench",
                new RetryNTimes(OPTIMISTIC_TRIES, 1),
                PromotedToLock.builder()
                        .lockPath("/bench-lock")
                        .retryPolicy(new RetryNTimes(10, 10))
                        .build());
    }

    @Override
    public AsyncCall caller(int index) {
        while (callers.size() <= index) {
            callers.add(new BlockingCall("curator-" + callers.size(), this::next));
        }
        return callers.get(index);
    }

    private long next() throws Exception {
        AtomicValue<Long> value = counter.increment();
        if (!value.succeeded()) {
            throw new IllegalStateException("not incremented");
        }
        return value.postValue();
    }

    @Override
    public void close() {
        callers.forEach(BlockingCall::close);
        client.close();
    }
}
