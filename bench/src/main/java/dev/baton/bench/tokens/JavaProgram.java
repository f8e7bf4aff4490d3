package dev.baton.bench.tokens;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM, with the flags that all processes of a run share. */
final class JavaProgram {

    /** What the libraries trigger on newer JDKs; and a collector with no threads of its own, since cores are few. */
    private static final List<String> FLAGS = List.of(
            "-Xlog:disable",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
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

    /** The class path of this process. */
    static String ownClassPath() {
        return System.getProperty("java.class.path", ".");
    }
}
