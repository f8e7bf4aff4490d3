package dev.baton.control.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterKeyTest {

    @TempDir
    Path folder;

    @Test
    void aKeyThatWasMadeIsReadByEveryNodeAndNotMadeAgain() throws IOException {
        Path file = folder.resolve("cluster.key");
        ClusterKey.createIfAbsent(file);
        String made = Files.readString(file);
        ClusterKey.createIfAbsent(file);

        assertThat(Files.readString(file)).isEqualTo(made);
        assertThat(ClusterKey.read(file).seal("x", new byte[] {1}))
                .isEqualTo(ClusterKey.read(file).seal("x", new byte[] {1}));
    }

    @Test
    void aKeyThatOthersCanReadIsRefused() throws IOException {
        Path file = folder.resolve("cluster.key");
        ClusterKey.createIfAbsent(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> ClusterKey.read(file)).hasMessageContaining("chmod 600");
    }

    @Test
    void aShortKeyIsRefused() throws IOException {
        Path file = folder.resolve("cluster.key");
        ClusterKey.createIfAbsent(file);
        Files.writeString(file, "c2hvcnQ=\n");

        assertThatThrownBy(() -> ClusterKey.read(file)).hasMessageContaining("5 bytes (expected: at least 32");
    }
}
