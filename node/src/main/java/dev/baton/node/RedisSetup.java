package dev.baton.node;

import dev.baton.authority.redis.Login;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.TlsFiles;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.timing.Fault;
import dev.baton.node.config.EngineAccess;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.RedisConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the Redis authority is told, from a node's configuration. */
public final class RedisSetup {

    private RedisSetup() {}

    public static RedisSettings of(NodeConfig config) throws NodeFailure {
        RedisConfig redis = config.authority()
                .redis()
                .orElseThrow(() -> new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "authority.kind: " + config.authority().kind() + " (expected: redis)"));
        RedisSettings settings = settings(config, redis);
        List<Fault> faults = settings.faults("authority.");
        if (!faults.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION, faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        }
        return settings;
    }

    private static RedisSettings settings(NodeConfig config, RedisConfig redis) throws NodeFailure {
        return new RedisSettings(
                redis.addresses(),
                Password.of(redis.access())
                        .map(password -> new Login(redis.access().user(), password)),
                redis.access().tls().map(RedisSetup::files),
                redis.nodeTimeout(),
                new QuorumSettings(
                        Authorities.longestLease(config),
                        redis.attempts(),
                        redis.retry(),
                        redis.retryJitter(),
                        redis.poll(),
                        redis.pollJitter()),
                Map.of());
    }

    private static TlsFiles files(EngineAccess.EngineTls tls) {
        return new TlsFiles(
                tls.trust(),
                tls.key().flatMap(key -> tls.certificate().map(shown -> new TlsFiles.ClientFiles(key, shown))));
    }
}
