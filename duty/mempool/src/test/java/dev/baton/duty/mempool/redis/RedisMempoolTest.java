package dev.baton.duty.mempool.redis;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolContract;
import dev.baton.duty.mempool.MempoolLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class RedisMempoolTest extends MempoolContract {

    @TempDir
    static Path folder;

    private static RedisServer server;

    private final List<Mempool> open = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = RedisServer.in(folder).appendfsync("no").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void closeAll() {
        open.forEach(Mempool::close);
    }

    @Override
    protected Mempool empty(MempoolLimits limits) {
        server.call("FLUSHALL");
        return again(limits);
    }

    private Mempool again(MempoolLimits limits) {
        Mempool pool = RedisMempool.open(
                RedisMempoolSettings.at("redis://" + server.address()).withConnections(2), limits, clock);
        open.add(pool);
        return pool;
    }

    /** Another node's view of the same Redis. */
    @Override
    protected Mempool again(Mempool pool, MempoolLimits limits) {
        return again(limits);
    }
}
