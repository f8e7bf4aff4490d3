package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code up} shows on a terminal as a command to try is copied from there and run, after it has been there a while. */
class UpHintsIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LATER = 20; // more than as many events as are shown

    @ParameterizedTest
    @ValueSource(strings = {"raft", "redis", "etcd", "nats"})
    void theCommandThatIsShownWorks(String authority, @TempDir Path folder) throws Exception {
        Path data = folder.resolve("data of a cluster whose commands are longer than a terminal is wide");
        Path screen = folder.resolve("screen");
        String command =
                "./baton up --duty tokens --authority " + authority + " --interval 200ms --data '" + data + "'";
        ProcessBuilder terminal = new ProcessBuilder("script", "-qefc", command, "/dev/null")
                .directory(ROOT.toFile())
                .redirectOutput(screen.toFile())
                .redirectErrorStream(true);
        terminal.environment().put("TERM", "xterm");
        Process up = terminal.start();
        try {
            await().atMost(RunningUp.PATIENCE).until(() -> {
                assertThat(up.isAlive()).as(Files.readString(screen)).isTrue();
                return lastFrame(screen).contains("token " + LATER);
            });
            String hint =
                    await().atMost(RunningUp.PATIENCE).until(() -> hint(lastFrame(screen)), found -> !found.isEmpty());

            Path out = folder.resolve("out");
            Process tried = new ProcessBuilder("bash", "-c", hint)
                    .directory(ROOT.toFile())
                    .redirectOutput(out.toFile())
                    .redirectErrorStream(true)
                    .start();
            assertThat(tried.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(tried.exitValue())
                    .as(hint + ": " + Files.readString(out))
                    .isZero();
            assertThat(Files.readString(out)).startsWith("1  (epoch ");
        } finally {
            up.destroy();
            await().atMost(RunningUp.PATIENCE)
                    .until(() -> RunningUp.leftovers(data).isEmpty());
        }
    }

    /** What stands on the screen between two drawings. */
    private static String lastFrame(Path screen) throws Exception {
        String[] frames = Files.readString(screen).split("\u001b\\[J", -1);
        return frames.length < 2 ? "" : frames[frames.length - 2];
    }

    private static String hint(String frame) {
        return frame.lines()
                .map(line -> line.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "").strip())
                .filter(line -> line.startsWith("try: "))
                .map(line -> line.substring("try: ".length()))
                .findFirst()
                .orElse("");
    }
}
