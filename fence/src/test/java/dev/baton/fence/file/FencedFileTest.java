package dev.baton.fence.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.HolderProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With two processes. INV-1, INV-2. */
class FencedFileTest {

    private Path path;
    private FencedFile file;

    @BeforeEach
    void choosePath(@TempDir Path dir) {
        path = dir.resolve("lines");
        file = FencedFile.at(path, Duration.ofSeconds(60));
    }

    private static Fence epoch(long epoch) {
        return Fence.of("demo", "jobs", 1, epoch);
    }

    private static ByteBuffer line(String text) {
        return ByteBuffer.wrap((text + "\n").getBytes(UTF_8));
    }

    private HolderProcess holder(long epoch) throws IOException {
        return HolderProcess.start(
                FileHolder.class, path.toString(), epoch(epoch).toString());
    }

    @Test
    void lowerEpochsAreRefusedAndWriteNothing() throws Exception {
        assertThat(file.append(epoch(5), line("a")).isAdmitted()).isTrue();
        assertThat(file.append(epoch(6), line("b")).isAdmitted()).isTrue();

        assertThat(file.append(epoch(5), line("late"))).isEqualTo(new Admission.Stale(epoch(5), epoch(6)));
        assertThat(file.replace(epoch(5), line("late"))).isInstanceOf(Admission.Stale.class);
        assertThat(file.replace(Fence.of("demo", "other", 9, 9), line("other")))
                .isInstanceOf(Admission.OtherSeat.class);
        assertThat(Files.readAllLines(path)).containsExactly("a", "b");
        assertThat(file.replace(epoch(7), line("c")).isAdmitted()).isTrue();
        assertThat(Files.readAllLines(path)).containsExactly("c");
        assertThat(file.stored()).contains(epoch(7));
    }

    @Test
    void aDamagedFenceLetsNobodyIn() throws Exception {
        file.append(epoch(5), line("a"));
        Files.writeString(path.resolveSibling("lines.fence"), "demo/jo");

        assertThatThrownBy(() -> file.append(epoch(6), line("late")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged")
                .hasMessageContaining("demo/jo");
        assertThat(Files.readAllLines(path)).containsExactly("a");
    }

    @Test
    void twoProcessesDoNotMixTheirTermsOrLines() throws Exception {
        try (HolderProcess one = holder(1);
                HolderProcess two = holder(2)) {
            one.order("many one- 200");
            two.order("many two- 200");
            one.answer();
            assertThat(two.answer()).isEqualTo("admitted 200");
        }
        List<String> lines = Files.readAllLines(path);
        int firstOfTwo = lines.indexOf("two-0");
        assertThat(lines.subList(0, firstOfTwo)).allMatch(line -> line.matches("one-\\d+"));
        assertThat(lines.subList(firstOfTwo, lines.size())).hasSize(200).allMatch(line -> line.matches("two-\\d+"));
    }

    @Test
    void aHolderThatWasPausedAndReplacedIsRefusedWhenItWakes() throws Exception {
        try (HolderProcess old = holder(1)) {
            assertThat(old.ask("append old-1")).isEqualTo("wrote");
            old.pause();
            old.order("append old-2");
            old.order("replace old-3");
            assertThat(file.append(epoch(2), line("new-1")).isAdmitted()).isTrue();
            old.wake();

            String refused = "refused: fence: demo/jobs/1/1 (expected: demo/jobs/1/2 or higher";
            assertThat(old.answer()).startsWith(refused);
            assertThat(old.answer()).startsWith(refused);
        }
        assertThat(Files.readAllLines(path)).containsExactly("old-1", "new-1");
    }

    @Test
    void aHolderThatWasPausedWithinItsWriteIsNamedAndItsEndFreesTheFile() throws Exception {
        try (HolderProcess old = holder(1)) {
            assertThat(old.ask("hold")).isEqualTo("holds");
            old.pause();

            assertThatThrownBy(() -> FencedFile.at(path, Duration.ofMillis(100)).append(epoch(2), line("new-1")))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(".*locked by process \\d+ for PT0.1S.*end it.*");
        }
        assertThat(file.append(epoch(2), line("new-1")).isAdmitted()).isTrue();
    }

    @Test
    void aStoreIsOneProcessesAloneAndRemembers(@TempDir Path dir) throws Exception {
        Path stored = dir.resolve("fence");
        try (FileFenceStore store = FileFenceStore.open(stored)) {
            assertThat(store.load()).isEmpty();
            store.save(epoch(3));
            assertThatThrownBy(() -> FileFenceStore.open(stored)).hasMessageContaining("is in use");
        }
        try (FileFenceStore store = FileFenceStore.open(stored)) {
            assertThat(store.load()).contains(epoch(3));
        }
    }

    /**
     * The system takes a process's lock away when that process closes any channel of the file, and who gives up used to
     * read from it who has it.
     */
    @Test
    void aThreadThatRunsOutOfPatienceDoesNotGiveItsProcessesLockAway() throws Exception {
        try (HolderProcess other = holder(2)) {
            try (LockFile.Held held = lockFile().take(Duration.ofSeconds(60))) {
                assertThat(held).isNotNull();
                assertInAnotherThread(
                        path, "locked by process " + ProcessHandle.current().pid());

                assertThat(other.ask("try late")).startsWith("failed: ").contains("has been locked by process");
            }
            assertThat(other.ask("try new-1")).isEqualTo("wrote");
        }
        assertThat(Files.readAllLines(path)).containsExactly("new-1");
    }

    @Test
    void aFileUnderAnotherNameIsTheSameFile() throws Exception {
        Path other = Files.createSymbolicLink(path.resolveSibling("link"), path.getParent());
        try (HolderProcess another = holder(2);
                LockFile.Held held = lockFile().take(Duration.ofSeconds(60))) {
            assertThat(held).isNotNull();
            assertInAnotherThread(other.resolve("lines"), "has been locked by process");

            assertThat(another.ask("try late")).startsWith("failed: ");
        }
        assertThat(path).doesNotExist();
    }

    private LockFile lockFile() {
        return new LockFile(path.resolveSibling("lines.lock"));
    }

    private static void assertInAnotherThread(Path file, String refusal) throws Exception {
        FutureTask<Admission> attempt = new FutureTask<>(
                () -> FencedFile.at(file, Duration.ofMillis(100)).append(epoch(1), line("late")));
        Thread.ofPlatform().start(attempt);
        assertThatThrownBy(() -> attempt.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining(refusal);
    }

    @Test
    void aStoreThatIsOpenedTwiceStaysItsFirstOpeners() throws Exception {
        try (FileFenceStore store = FileFenceStore.open(path);
                HolderProcess other = holder(2)) {
            assertThatThrownBy(() -> FileFenceStore.open(path)).hasMessageContaining("is in use");

            assertThat(other.ask("store")).startsWith("failed: ").contains("is in use");
            store.close();
            store.close();
            assertThat(other.ask("store")).isEqualTo("opened");
        }
    }
}
