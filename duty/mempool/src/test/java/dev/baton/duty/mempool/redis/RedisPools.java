package dev.baton.duty.mempool.redis;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import java.time.InstantSource;

/** Pools on Redis whose claims go by a test's clock. */
public final class RedisPools {

    private RedisPools() {}

    public static Mempool open(RedisServer server, MempoolLimits limits, InstantSource clock) {
        return RedisMempool.open(
                RedisMempoolSettings.at("redis://" + server.address()).withConnections(1), limits, clock);
    }
}
