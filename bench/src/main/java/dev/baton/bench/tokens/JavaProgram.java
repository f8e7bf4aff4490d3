package dev.baton.bench.tokens;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM, with the flags that all processes of a run share. */
public final class JavaProgram {

    /** What the libraries trigger on newer JDKs; and a collector with no threads of its own, since cores are few. */
    private static final List<String> FLAGS = List.of(
            "-Xlog:disable",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dio.netty.leakDetection.level=disabled",
            "-XX:+UseSerialGC");

    private JavaProgram() {}

    static List<String> command(List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(options);
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    /** The same for a program of our own: from the archive of parsed classes that {@code ./baton} leaves, if it does. */
    public static List<String> ownCommand(List<String> options, String main, List<String> arguments) {
        List<String> all = new ArrayList<>(options);
        Path first = Path.of(ownClassPath().split(File.pathSeparator, 2)[0]).toAbsolutePath();
        Path archive = first.resolveSibling("..").normalize().resolve("classes.jsa");
        if (Files.exists(archive)) {
            all.add("-Xshare:auto");
            all.add("-XX:SharedArchiveFile=" + archive);
        }
        return command(all, main, arguments);
    }

    /** The class path of this process. */
    public static String ownClassPath() {
        return System.getProperty("java.class.path", ".");
    }
}
