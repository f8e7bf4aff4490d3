package dev.baton.bench.tokens;

import java.util.List;

/**
 * What tokens are measured against.
 *
 * @param name as the program of the peers knows it
 * @param durability what has happened when a number is answered
 */
record Peer(String name, String durability) {

    static final String ETCD_PUT = "etcd-put";

    static final List<Peer> ALL = List.of(
            new Peer(ETCD_PUT, "3 members, log synced on a majority before the answer"),
            new Peer("etcd-compare-and-set", "3 members, log synced on a majority before the answer"),
            new Peer("redis-incr", "1 node, appendfsync always: synced before the answer, no copy"),
            new Peer(
                    "postgres-nextval",
                    "1 node, fsync on, no copy; nextval logs 32 values ahead: one call in 32 or so waits for the"
                            + " disk, and a crash skips values"),
            new Peer("curator-atomic-long", "3 members, forceSync=yes: log synced on a majority before the answer"),
            new Peer(
                    "redisson-id-generator",
                    "1 node, appendfsync always, no copy; 5,000 numbers at a time, the rest from the caller's memory"),
            new Peer(
                    "redisson-id-generator-one-at-a-time",
                    "1 node, appendfsync always: synced before the answer, no copy"));
}
