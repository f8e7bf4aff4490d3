package dev.baton.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SupervisorTest {

    @TempDir
    Path folder = Path.of("");

    /** A process that says a word and ends by itself. */
    private ChildProcess shortLived(String name) {
        return new ChildProcess(
                name, List.of("echo", "here"), Map.of(), folder.resolve(name).resolve("log"), "echo");
    }

    @Test
    void oneThatCannotBeStartedAgainDoesNotKeepTheOthersDown() throws IOException {
        ChildProcess hopeless = shortLived("n1");
        ChildProcess fine = shortLived("n2");
        hopeless.start();
        fine.start();
        Path log = folder.resolve("n2").resolve("log");
        await().atMost(Duration.ofMinutes(1)).until(() -> !hopeless.isAlive() && !fine.isAlive());
        // Where its log is to be, something else is in the way.
        FileTrees.delete(folder.resolve("n1"));
        Files.createFile(folder.resolve("n1"));

        try (Supervisor supervisor = new Supervisor(List.of(hopeless, fine))) {
            supervisor.start();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(Files.readAllLines(log)).hasSizeGreaterThan(2));
        }
    }
}
