package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.protocol.Fsync;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a Redis says of itself.
 *
 * @param config how it is configured; empty if we may not see it
 */
public record NodeFacts(String version, String runId, boolean replica, Optional<Config> config) {

    /** The part of its configuration that matters. */
    public record Config(
            String maxmemory,
            String maxmemoryPolicy,
            String appendonly,
            String appendfsync,
            String notifyKeyspaceEvents) {

        Fsync fsync() {
            return appendonly.equals("yes") && appendfsync.equals("always") ? Fsync.ALWAYS : Fsync.LATER;
        }
    }

    /** The scripts need {@code XTRIM MINID}. */
    public static final String OLDEST_VERSION = "6.2";

    private static final Pattern VERSION = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6}).*");

    /** Asks; nothing is changed. */
    static CompletionStage<NodeFacts> read(RedisAsyncCommands<byte[], byte[]> redis) {
        CompletableFuture<String> server = redis.info("server").toCompletableFuture();
        CompletableFuture<String> replication = redis.info("replication").toCompletableFuture();
        CompletableFuture<Optional<Config>> config = readConfig(redis).toCompletableFuture();
        return server.thenCombine(replication, (first, second) -> first + "\n" + second)
                .thenCombine(config, NodeFacts::of);
    }

    /** Empty if we may not see it. */
    static CompletionStage<Optional<Config>> readConfig(RedisAsyncCommands<byte[], byte[]> redis) {
        // One at a time: several in one call came with Redis 7.
        CompletableFuture<String> maxmemory = get(redis, "maxmemory");
        CompletableFuture<String> policy = get(redis, "maxmemory-policy");
        CompletableFuture<String> appendonly = get(redis, "appendonly");
        CompletableFuture<String> appendfsync = get(redis, "appendfsync");
        CompletableFuture<String> notify = get(redis, "notify-keyspace-events");
        return CompletableFuture.allOf(maxmemory, policy, appendonly, appendfsync, notify)
                .handle((done, failure) -> failure != null
                        ? Optional.empty()
                        : Optional.of(new Config(
                                maxmemory.join(),
                                policy.join(),
                                appendonly.join(),
                                appendfsync.join(),
                                notify.join())));
    }

    private static CompletableFuture<String> get(RedisAsyncCommands<byte[], byte[]> redis, String name) {
        return redis.configGet(name).toCompletableFuture().thenApply(values -> values.getOrDefault(name, ""));
    }

    private static NodeFacts of(String info, Optional<Config> config) {
        Map<String, String> lines = info.lines()
                .filter(line -> line.indexOf(':') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1).strip(),
                        (earlier, later) -> later));
        return new NodeFacts(
                lines.getOrDefault("redis_version", "unknown"),
                lines.getOrDefault("run_id", ""),
                lines.getOrDefault("role", "").equals("slave"),
                config);
    }

    /** Unknown is {@code LATER}: who cannot know must not trust. */
    Fsync fsync() {
        return config.map(Config::fsync).orElse(Fsync.LATER);
    }

    public boolean isTooOld() {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            return true;
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        return major < 6 || (major == 6 && minor < 2);
    }

    /** Why no seat can be kept there, if so. */
    Optional<String> unusable() {
        if (replica) {
            return Optional.of("a read-only replica (expected: a Redis that is written to)");
        }
        return isTooOld()
                ? Optional.of("Redis " + version + " (expected: " + OLDEST_VERSION + " or later)")
                : Optional.empty();
    }
}
