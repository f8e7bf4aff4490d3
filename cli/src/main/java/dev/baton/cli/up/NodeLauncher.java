package dev.baton.cli.up;

import dev.baton.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts a node, or another command of this program, as a process that is small and ends when this one does. */
final class NodeLauncher {

    private static final long LONGEST_LOG = 16L << 20;

    /** Small heaps and the simple compiler: at a block a second a node has little to do. */
    private static final List<String> JVM = List.of(
            "-Xlog:disable",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dio.netty.leakDetection.level=disabled",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:MetaspaceSize=64m",
            "-Xms24m",
            "-Xmx96m",
            "-Xss512k",
            "-XX:MaxDirectMemorySize=64m",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:+ExitOnOutOfMemoryError",
            // One arena: the many threads of the network library would else reserve memory each.
            "-Dio.netty.allocator.numHeapArenas=1",
            "-Dio.netty.allocator.numDirectArenas=1");

    private NodeLauncher() {}

    static Process start(UpSettings settings, String node) throws IOException {
        return start(
                settings.log(node), List.of("node", "--until-input-ends", "--config", absolute(settings.config(node))));
    }

    /** Starts this program with other arguments; among them must be what makes it end when its input does. */
    static Process start(Path log, List<String> arguments) throws IOException {
        if (Files.exists(log) && Files.size(log) > LONGEST_LOG) {
            Files.move(log, log.resolveSibling("log.old"), StandardCopyOption.REPLACE_EXISTING);
        }
        ProcessBuilder builder = new ProcessBuilder(command(arguments));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // By the environment, so that the command line stays short enough for everyone who looks at it.
        builder.environment().put("CLASSPATH", classPath());
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        // Its standard input is a pipe from here: when we are gone, however that came, the node reads its end.
        return builder.start();
    }

    static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        archive().ifPresent(file -> {
            command.add("-Xshare:auto");
            command.add("-XX:SharedArchiveFile=" + file);
        });
        Optional.ofNullable(System.getProperty("baton.commit"))
                .ifPresent(commit -> command.add("-Dbaton.commit=" + commit));
        command.add(Main.class.getName());
        command.addAll(arguments);
        return command;
    }

    private static String classPath() {
        return System.getProperty("java.class.path", ".");
    }

    /** The archive of parsed classes that {@code ./baton} leaves beside the jars. */
    private static Optional<Path> archive() {
        String first = classPath().split(File.pathSeparator, 2)[0];
        Path lib =
                Optional.ofNullable(Path.of(first).toAbsolutePath().getParent()).orElse(Path.of("."));
        return Optional.of(lib.resolveSibling("classes.jsa")).filter(Files::exists);
    }
}
