package dev.baton.chaos.cluster;

import dev.baton.node.NodeMain;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a node is started: a process that is small and quick to start, since there are several on one machine. */
final class NodeCommandLine {

    private static final List<String> JVM = List.of(
            "-Xlog:disable",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xms24m",
            "-Xmx128m",
            "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dio.netty.allocator.numHeapArenas=1",
            "-Dio.netty.allocator.numDirectArenas=1");

    private NodeCommandLine() {}

    static List<String> of(Path config) {
        return of(List.of(NodeMain.class.getName(), config.toString()));
    }

    /** The same for another program: a class, and what it is told. */
    static List<String> of(List<String> program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        archive().ifPresent(file -> {
            command.add("-Xshare:auto");
            command.add("-XX:SharedArchiveFile=" + file);
        });
        Optional.ofNullable(System.getProperty("baton.commit"))
                .ifPresent(commit -> command.add("-Dbaton.commit=" + commit));
        command.addAll(program);
        return command;
    }

    /** By the environment, so that the command line stays short. */
    static Map<String, String> environment() {
        return Map.of("CLASSPATH", classPath(), "MALLOC_ARENA_MAX", "2");
    }

    /** The same with a folder in front, whose files hide those of the product: how tests plant a bug. */
    static Map<String, String> environment(Path inFront) {
        return Map.of("CLASSPATH", inFront + File.pathSeparator + classPath(), "MALLOC_ARENA_MAX", "2");
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
