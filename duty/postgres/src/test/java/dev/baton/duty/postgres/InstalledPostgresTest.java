package dev.baton.duty.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledPostgresTest {

    @TempDir
    Path versions;

    private Path install(String version, String... programs) throws IOException {
        Path bin = Files.createDirectories(versions.resolve(version).resolve("bin"));
        for (String program : programs) {
            assertThat(Files.createFile(bin.resolve(program)).toFile().setExecutable(true))
                    .isTrue();
        }
        return bin;
    }

    @Test
    void theNewestThatHasAServerIsFound() throws IOException {
        install("9", "postgres");
        Path newest = install("15", "postgres");
        install("14", "postgres");
        install("17", "psql"); // a client only

        assertThat(InstalledPostgres.newestBelow(versions)).contains(newest);
    }

    @Test
    void nothingIsFoundWhereNothingIs() {
        assertThat(InstalledPostgres.newestBelow(versions)).isEmpty();
        assertThat(InstalledPostgres.newestBelow(versions.resolve("missing"))).isEmpty();
    }
}
