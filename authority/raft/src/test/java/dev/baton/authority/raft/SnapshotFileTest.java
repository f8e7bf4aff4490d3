package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotFileTest {

    @TempDir
    private Path dir;

    @Test
    void aSnapshotIsThereWhenAllOfItIsWritten() throws IOException {
        Path file = dir.resolve("snapshot.4_46");
        SnapshotFile.write(file.toFile(), out -> out.write(new byte[] {1, 2, 3}));
        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(dir).isDirectoryNotContaining(each -> !each.equals(file));
    }

    /** Once a full disk left a file of one byte under the name of a snapshot, and the member did not start any more. */
    @Test
    void aSnapshotThatCannotBeWrittenIsNotThere() {
        Path file = dir.resolve("snapshot.4_46");
        assertThatThrownBy(() -> SnapshotFile.write(file.toFile(), out -> {
                    out.write(1);
                    throw new IOException("no space left on the device");
                }))
                .hasMessage("no space left on the device");
        assertThat(dir).isEmptyDirectory();
    }
}
