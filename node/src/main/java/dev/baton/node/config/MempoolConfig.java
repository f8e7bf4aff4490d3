package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.redis.RedisMempoolSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What only a mempool's seat has.
 *
 * @param redis the pool that all nodes share
 * @param chainFile a file with the chain that the watcher follows; without one it follows this node's sequencer
 * @param propagate whether this node brings pending transactions to its sequencer
 * @param claimLease how long a propagator may keep a transaction that nobody has acknowledged
 */
public record MempoolConfig(
        RedisMempoolSettings redis,
        MempoolLimits limits,
        Optional<Path> chainFile,
        boolean propagate,
        Duration claimLease) {

    static final Duration DEFAULT_CLAIM_LEASE = Duration.ofSeconds(30);

    /** How long a silent watcher keeps the seat, as the published design has it. */
    static final Duration DEFAULT_TAKEOVER = Duration.ofSeconds(10);

    static MempoolConfig read(Section seat, Function<String, Path> path) {
        MempoolLimits limits = MempoolLimits.DEFAULT;
        try (Section mempool = seat.section("mempool")) {
            return new MempoolConfig(
                    new RedisMempoolSettings(
                            mempool.optional("url", "redis://host:port", text -> text)
                                    .orElse("redis://127.0.0.1:6379"),
                            mempool.optional("prefix", "what keys begin with", text -> text)
                                    .orElse(RedisMempoolSettings.DEFAULT_PREFIX),
                            whole(mempool, "connections", RedisMempoolSettings.DEFAULT_CONNECTIONS),
                            mempool.duration("timeout", RedisMempoolSettings.DEFAULT_TIMEOUT)),
                    new MempoolLimits(
                            whole(mempool, "finalize-after", limits.finalizeAfter()),
                            whole(mempool, "drop-after", limits.dropAfter()),
                            whole(mempool, "max-payload-bytes", limits.maxPayloadBytes()),
                            mempool.whole("max-pending", 1, Long.MAX_VALUE, limits.maxPending()),
                            whole(mempool, "max-finalized", limits.maxFinalized()),
                            whole(mempool, "max-events", limits.maxEvents()),
                            whole(mempool, "max-rollback", limits.maxRollback()),
                            whole(mempool, "slice-size", limits.sliceSize())),
                    mempool.optional("chain-file", "a file", path),
                    mempool.truth("propagate", true),
                    mempool.duration("claim-lease", DEFAULT_CLAIM_LEASE));
        }
    }

    private static int whole(Section mempool, String key, int otherwise) {
        return (int) mempool.whole(key, 1, Integer.MAX_VALUE, otherwise);
    }

    List<Fault> faults(String prefix) {
        List<Fault> faults = new ArrayList<>(redis.faults(prefix));
        faults.addAll(limits.faults(prefix));
        if (claimLease.toMillis() < 1) {
            faults.add(new Fault(prefix + "claim-lease", claimLease.toString(), "1ms or longer"));
        }
        return faults;
    }

    /** What must be the same on all nodes, because any of them may watch next. */
    Map<String, String> agreed() {
        return Map.of(
                "mempool.prefix", redis.prefix(),
                "mempool.finalize-after", Integer.toString(limits.finalizeAfter()),
                "mempool.drop-after", Integer.toString(limits.dropAfter()),
                "mempool.max-finalized", Integer.toString(limits.maxFinalized()),
                "mempool.max-rollback", Integer.toString(limits.maxRollback()));
    }
}
