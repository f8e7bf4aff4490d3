package dev.baton.bench.tokens;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the peers' libraries are: in the source tree beside ours, because a node must never see them. */
final class PeerPrograms {

    static final String MAIN = "dev.baton.bench.peers.PeerMain";

    private static final Path BUILT = Path.of("bench", "peers", "target", "dist", "lib");

    private PeerPrograms() {}

    static String classPath() {
        String first = JavaProgram.ownClassPath().split(File.pathSeparator, 2)[0];
        @Nullable Path folder = Path.of(first).toAbsolutePath().normalize();
        while (folder != null) {
            Path lib = folder.resolve(BUILT);
            if (Files.isDirectory(lib)) {
                return lib + File.separator + "*";
            }
            folder = folder.getParent();
        }
        throw new IllegalStateException(BUILT + " is nowhere above " + first
                + " (expected: run from a source tree that is built, with ./baton)");
    }
}
