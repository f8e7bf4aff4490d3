package dev.baton.cli.up;

import java.util.List;

/**
 * What keeps the seat of an {@code up} cluster.
 *
 * @param external the Redis nodes to use; none means that {@code up} runs its own
 * @param init whether the seat may be founded on external Redis nodes
 */
record UpAuthority(String kind, List<String> external, boolean init) {

    static final UpAuthority RAFT = new UpAuthority("raft", List.of(), false);
    static final String REDIS = "redis";
    static final List<String> KINDS = List.of(RAFT.kind(), REDIS);

    UpAuthority {
        external = List.copyOf(external);
    }

    boolean isRedis() {
        return kind.equals(REDIS);
    }

    boolean runsOwnRedis() {
        return isRedis() && external.isEmpty();
    }
}
