package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile.Server;
import dev.baton.cli.cluster.ClusterFile.Servers;
import dev.baton.cli.cluster.ServerKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of the cluster that {@code up} runs itself, with a folder of its own.
 *
 * <p>It does not notice that whoever started it is gone. So a shell waits beside it for the end of its input, which
 * comes when this process ends, however that came, and then stops the server.
 */
final class ServerProgram implements Program {

    private static final String GUARD = """
            while read -r line; do :; done
            case $(tr '\\0' ' ' <"/proc/$1/cmdline" 2>/dev/null || ps -o args= -p "$1") in
              *"$2"*) kill "$1" ;;
            esac
            """;

    private final Path config;
    private final Servers cluster;
    private final Server server;
    private volatile @Nullable Process guard;

    ServerProgram(UpSettings settings, Servers cluster, Server server) {
        this.config = cluster.kind().config(settings.data(), server.name());
        this.cluster = cluster;
        this.server = server;
    }

    static void checkInstalled(ServerKind kind) throws CliFailure {
        boolean found = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, kind.command())));
        if (!found) {
            throw new CliFailure(
                    Exit.MISSING,
                    kind.command() + " is not on the PATH (expected: " + kind.version()
                            + "; install it with: sudo apt-get install -y " + kind.debianPackage()
                            + ", or name running ones with " + kind.option() + " host:port,host:port,host:port)");
        }
    }

    @Override
    public String name() {
        return server.name();
    }

    @Override
    public Path log() {
        return config.resolveSibling("log");
    }

    @Override
    public Process start() throws IOException {
        Files.createDirectories(log().getParent());
        Files.writeString(config, ServerFiles.configuration(cluster, server, config));
        Process started = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        started.getOutputStream().close();
        guard = guard(started.pid(), config);
        return started;
    }

    private List<String> command() {
        return switch (cluster.kind()) {
            case REDIS -> List.of(cluster.kind().command(), config.toString());
            case ETCD -> List.of(cluster.kind().command(), "--config-file", config.toString());
            case NATS -> List.of(cluster.kind().command(), "-c", config.toString());
        };
    }

    private static Process guard(long pid, Path config) throws IOException {
        return new ProcessBuilder(List.of("sh", "-c", GUARD, "server-guard", Long.toString(pid), config.toString()))
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
}
