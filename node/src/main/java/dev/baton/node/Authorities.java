package dev.baton.node;

import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.timing.SeatTimings;
import dev.baton.node.config.AuthorityConfig;
import dev.baton.node.config.NodeConfig;
import java.time.Duration;
import java.util.Comparator;

/** Makes the engine that a configuration names: a new kind is a new line here. */
public final class Authorities {

    /** How a node comes to its engine. */
    @FunctionalInterface
    public interface Source {
        Engine open(NodeConfig config, DataFolder folder) throws NodeFailure;
    }

    private Authorities() {}

    public static Engine open(NodeConfig config, DataFolder folder) throws NodeFailure {
        return switch (config.authority().kind()) {
            case AuthorityConfig.RAFT -> RaftEngine.open(config, folder);
            case AuthorityConfig.REDIS -> RedisEngine.open(config);
            case AuthorityConfig.ETCD -> EtcdEngine.open(config);
            case AuthorityConfig.NATS -> NatsEngine.open(config);
            case AuthorityConfig.MEMORY -> memory(config);
            default ->
                throw new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "authority.kind: " + config.authority().kind() + " (expected: one of "
                                + String.join(", ", AuthorityConfig.KINDS) + ")");
        };
    }

    private static Engine memory(NodeConfig config) {
        MemoryEngine engine = new MemoryEngine(longestLease(config));
        return Engine.of(new TickingAuthority(engine.connect(config.node()), engine::tick));
    }

    /** Where all seats share a lease, it must suit the one that needs the longest. */
    static Duration longestLease(NodeConfig config) {
        return config.seats().stream()
                .map(seat -> seat.timings().takeoverDelay())
                .max(Comparator.naturalOrder())
                .orElse(SeatTimings.DEFAULT.takeoverDelay());
    }
}
