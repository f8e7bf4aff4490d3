package dev.baton.cli.up;

import dev.baton.cli.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Something that {@code up} keeps running as a process of its own. */
interface Program {

    String name();

    /** Starts it once more. */
    Process start() throws IOException;

    /** The process is gone: puts away what was only for it. */
    default void ended() {}

    /** Where its last words are. */
    Path log();

    /** What an exit code says that another start would not cure. */
    default Optional<Exit> hopeless(int exitCode) {
        return Optional.empty();
    }
}
