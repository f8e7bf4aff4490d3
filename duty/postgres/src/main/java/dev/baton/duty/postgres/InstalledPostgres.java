package dev.baton.duty.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** Where Debian puts PostgreSQL's programs: in a folder for each version, and on no PATH. */
public final class InstalledPostgres {

    public static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final int OLDEST = 14;
    private static final int NEWEST = 40;

    private InstalledPostgres() {}

    /** The folder of the newest version's programs. */
    public static Optional<Path> newest() {
        return newestBelow(VERSIONS);
    }

    static Optional<Path> newestBelow(Path versions) {
        return IntStream.iterate(NEWEST, version -> version >= OLDEST, version -> version - 1)
                .mapToObj(version -> versions.resolve(Integer.toString(version)).resolve("bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                .findFirst();
    }

    /** The same where it cannot do without. */
    public static Path required() {
        return newest().orElseThrow(() -> new IllegalStateException(
                VERSIONS + "/*/bin/postgres is missing (expected: the Debian package postgresql)"));
    }
}
