package dev.baton.duty.sequencer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

    @TempDir
    Path folder;

    /** The system takes a process's lock away when that process closes any channel of the file. */
    @Test
    void whoIsRefusedInThisProcessDoesNotGiveTheFolderToAnother() throws Exception {
        try (FolderLock held = FolderLock.take(folder)) {
            assertThatThrownBy(() -> FolderLock.take(folder)).isInstanceOf(StoreUnusableException.class);

            assertThat(inAnotherProcess()).contains("another running node uses this folder");
            held.close();
            held.close();
            assertThat(inAnotherProcess()).isEqualTo("taken");
        }
        FolderLock.take(folder).close();
    }

    private String inAnotherProcess() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TakeFolder.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return other.inputReader().readLine();
        } finally {
            other.destroy();
            assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Takes a folder if it can. */
    static final class TakeFolder {
        private TakeFolder() {}

        public static void main(String[] arguments) throws IOException {
            try {
                FolderLock.take(Path.of(arguments[0])).close();
                System.out.println("taken");
            } catch (StoreUnusableException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
