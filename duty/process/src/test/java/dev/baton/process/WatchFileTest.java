package dev.baton.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchFileTest {

    @TempDir
    Path folder;

    private static Ladder ladder(String argument) {
        Duration second = Duration.ofSeconds(1);
        return new Ladder(List.of(
                new Rung.Signal("polite", "INT", second),
                new Rung.Kill("kill", second),
                new Rung.Command("hook", List.of("echo", argument), second)));
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        Path file = folder.resolve("watchdog.txt");
        for (Workload workload :
                List.of(new Workload.InFolder(folder), new Workload.Marked("BATON_WORKLOAD", "a b@/c"))) {
            WatchFile watched = new WatchFile(workload, ladder("two words"));
            watched.write(file);
            assertThat(WatchFile.read(file)).isEqualTo(watched);
        }
    }

    @Test
    void aTabInACommandIsRefused() {
        WatchFile watched = new WatchFile(new Workload.InFolder(folder), ladder("two\twords"));
        assertThatThrownBy(() -> watched.write(folder.resolve("watchdog.txt")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tabs");
    }
}
