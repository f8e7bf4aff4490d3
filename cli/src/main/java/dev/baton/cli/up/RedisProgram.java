package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile.RedisNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} of the cluster, with a folder of its own.
 *
 * <p>A Redis does not notice that whoever started it is gone. So a shell waits beside it for the end of its input,
 * which comes when this process ends, however that came, and then stops the Redis.
 */
final class RedisProgram implements Program {

    static final String COMMAND = "redis-server";

    private static final String GUARD = """
            while read -r line; do :; done
            case $(tr '\\0' ' ' <"/proc/$1/cmdline" 2>/dev/null || ps -o args= -p "$1") in
              *"$2"*) kill "$1" ;;
            esac
            """;

    private final Path folder;
    private final RedisNode node;
    private volatile @Nullable Process guard;

    RedisProgram(UpSettings settings, RedisNode node) {
        this.folder = settings.folder(node.name()).toAbsolutePath().normalize();
        this.node = node;
    }

    static Path config(Path data, String name) {
        return data.resolve(name).resolve("redis.conf").toAbsolutePath().normalize();
    }

    static void checkInstalled() throws CliFailure {
        boolean found = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, COMMAND)));
        if (!found) {
            throw new CliFailure(
                    Exit.MISSING,
                    COMMAND
                            + " is not on the PATH (expected: Redis 6.2 or later; install it with: sudo apt-get install -y"
                            + " redis-server, or name running ones with --redis host:port,host:port,host:port)");
        }
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public Path log() {
        return folder.resolve("log");
    }

    @Override
    public Process start() throws IOException {
        Files.createDirectories(folder);
        Path config = folder.resolve("redis.conf");
        Files.writeString(config, configuration());
        Process redis = new ProcessBuilder(COMMAND, config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        redis.getOutputStream().close();
        guard = guard(redis.pid(), config);
        return redis;
    }

    private static Process guard(long pid, Path config) throws IOException {
        return new ProcessBuilder(List.of("sh", "-c", GUARD, "redis-guard", Long.toString(pid), config.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Override
    public void ended() {
        Process watching = guard;
        if (watching != null) {
            watching.destroyForcibly();
        }
    }

    private String configuration() {
        String port = node.address().substring(node.address().lastIndexOf(':') + 1);
        return """
                # Written by baton up at every start. What each line is for: docs/guides/redis.md
                bind 127.0.0.1
                port %s
                dir "%s"
                daemonize no
                appendonly yes
                appendfsync always
                save ""
                maxmemory-policy noeviction
                notify-keyspace-events Exg
                proc-title-template "{title} {listen-addr} {config-file}"
                """.formatted(port, folder.toString().replace("\\", "\\\\").replace("\"", "\\\""));
    }
}
