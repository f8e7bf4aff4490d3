package dev.baton.node;

import dev.baton.authority.redis.Login;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.TlsFiles;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.core.timing.Fault;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.RedisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the Redis authority is told, from a node's configuration; here the password is read, and nowhere else. */
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
                password(redis).map(password -> new Login(redis.user(), password)),
                redis.tls().map(RedisSetup::files),
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

    private static TlsFiles files(RedisConfig.RedisTls tls) {
        return new TlsFiles(
                tls.trust(),
                tls.key().flatMap(key -> tls.certificate().map(shown -> new TlsFiles.ClientFiles(key, shown))));
    }

    private static Optional<String> password(RedisConfig redis) throws NodeFailure {
        if (redis.passwordEnv().isPresent()) {
            return redis.passwordEnv().map(System::getenv);
        }
        if (redis.passwordFile().isEmpty()) {
            return Optional.empty();
        }
        Path file = redis.passwordFile().get();
        String password;
        try {
            password = Files.readString(file).strip();
        } catch (IOException e) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION,
                    "authority.password-file: " + file + " cannot be read: " + e + " (expected: the password in it)",
                    e);
        }
        if (password.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION, "authority.password-file: " + file + " is empty (expected: the password)");
        }
        return Optional.of(password);
    }
}
