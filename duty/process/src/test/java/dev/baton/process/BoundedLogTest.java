package dev.baton.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedLogTest {

    @Test
    void aLogThatIsTooLongIsEmptiedUnderTheProcessThatAppendsToItAndItsEndIsKeptBesideIt(@TempDir Path folder)
            throws Exception {
        BoundedLog log = new BoundedLog(folder.resolve("server.log"), 10);
        try (OutputStream process =
                Files.newOutputStream(log.file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            process.write("0123456789".getBytes(StandardCharsets.UTF_8));
            log.bound();
            assertThat(log.earlier()).doesNotExist();

            process.write("!".getBytes(StandardCharsets.UTF_8));
            log.bound();
            process.write("next".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(log.file()).hasContent("next");
        assertThat(log.earlier()).hasContent("0123456789!");
    }
}
