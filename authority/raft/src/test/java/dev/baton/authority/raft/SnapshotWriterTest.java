package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotWriterTest {

    private static final TermIndex LAST = TermIndex.valueOf(4, 46);

    @TempDir
    private Path dir;

    private final Queue<Runnable> beside = new ArrayDeque<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final SnapshotWriter writer = new SnapshotWriter(beside::add, ended::incrementAndGet);
    private final LedgerImage image = new LedgerImage(4, List.of());
    private File file = new File("");

    @BeforeEach
    void name() {
        file = dir.resolve("snapshot.4_46").toFile();
    }

    /** Whoever begins one applies the next entries meanwhile. */
    @Test
    void nothingIsWrittenByWhoeverBeginsIt() throws IOException {
        writer.begin(LAST, file, image);

        assertThat(file).doesNotExist();
        assertThat(writer.isBusy()).isTrue();
        assertThat(ended).hasValue(0);

        beside.remove().run();
        assertThat(ended).hasValue(1);
        SnapshotWriter.Written written = writer.take().orElseThrow();
        assertThat(written.last()).isEqualTo(LAST);
        assertThat(SnapshotCodec.read(Files.newInputStream(written.file().getPath())))
                .isEqualTo(image);
        assertThat(writer.isBusy()).isFalse();
    }

    @Test
    void itIsTakenOnce() throws IOException {
        writer.begin(LAST, file, image);
        beside.remove().run();

        assertThat(writer.take()).isPresent();
        assertThat(writer.take()).isEmpty();
    }

    /** The log is kept then: it may be forgotten only up to a snapshot that is there. */
    @Test
    void oneThatCannotBeWrittenIsAFailureForWhoeverTakesIt() throws IOException {
        Files.delete(dir);
        writer.begin(LAST, file, image);
        beside.remove().run();

        assertThat(ended).hasValue(1);
        assertThatThrownBy(writer::take).isInstanceOf(IOException.class).hasMessageContaining("snapshot.4_46");
        assertThat(writer.isBusy()).isFalse();
    }

    @Test
    void oneThatIsDroppedIsNeverTaken() throws IOException {
        writer.begin(LAST, file, image);
        beside.remove().run();
        writer.drop();

        assertThat(writer.take()).isEmpty();
    }
}
