package dev.baton.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InhabitantsTest {

    @TempDir
    Path folder = Path.of("");

    private Process inFolder(String... command) throws IOException {
        return new ProcessBuilder(command).directory(folder.toFile()).start();
    }

    /** Otherwise the databases of a run that failed would run on for ever: its folder stays, and so would they. */
    @Test
    void whatWorksInTheFolderIsEndedAndWhoeverLooksAroundInItIsNot() throws Exception {
        Process server =
                inFolder("tail", "-f", "/dev/null", folder.resolve("data").toString());
        Process visitor = inFolder("tail", "-f", "/dev/null");
        try {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Inhabitants.of(folder).size() == 2); // and no longer the process that became them

            Inhabitants.end(folder);

            assertThat(server.waitFor()).isNotZero();
            assertThat(visitor.isAlive()).isTrue();
        } finally {
            server.destroyForcibly();
            visitor.destroyForcibly().waitFor();
        }
    }
}
