package dev.baton.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ladder on real processes: each way of not stopping is met by the next rung. */
class LadderTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    Path temporary;

    private Path folder = Path.of("/");
    private Workload inFolder = new Workload.InFolder(folder);

    @BeforeEach
    void realFolder() throws Exception {
        folder = temporary.toRealPath();
        inFolder = new Workload.InFolder(folder);
    }

    private static Ladder ladder(Duration polite, Duration forced, Duration kill) {
        return new Ladder(List.of(
                new Rung.Signal("polite", "INT", polite),
                new Rung.Signal("forced", "QUIT", forced),
                new Rung.Kill("kill", kill)));
    }

    private static String by(Climb climb) {
        return climb instanceof Climb.Proven(String by, Duration took) ? by : climb.toString();
    }

    @Test
    void aWorkloadThatIsNotThereIsDownAlready() {
        assertThat(by(ladder(LONG, LONG, LONG).climb(inFolder))).isEqualTo("nothing ran");
    }

    @Test
    void oneThatListensIsStoppedPolitely() throws Exception {
        try (RunningScript script =
                RunningScript.start(folder, Map.of(), "trap 'exit 0' INT; echo up; while :; do sleep 0.05; done")) {
            assertThat(inFolder.roots()).containsExactly(script.pid());
            assertThat(by(ladder(LONG, LONG, LONG).climb(inFolder))).isEqualTo("polite");
            assertThat(inFolder.isDown()).isTrue();
        }
    }

    @Test
    void oneThatIgnoresThePoliteStopIsForced() throws Exception {
        try (RunningScript script = RunningScript.start(
                folder, Map.of(), "trap '' INT; trap 'exit 0' QUIT; echo up; while :; do sleep 0.05; done")) {
            assertThat(script.isAlive()).isTrue();
            assertThat(by(ladder(SHORT, LONG, LONG).climb(inFolder))).isEqualTo("forced");
        }
    }

    @Test
    void oneThatIgnoresEverythingAndOneThatIsFrozenAreKilledWithTheirChildren() throws Exception {
        try (RunningScript deaf = RunningScript.start(
                        folder, Map.of(), "trap '' INT QUIT; setsid sleep 1000 & echo up; wait; sleep 1000");
                RunningScript frozen = RunningScript.start(folder, Map.of(), "echo up; kill -STOP $$")) {
            assertThat(deaf.isAlive() && frozen.isAlive()).isTrue();
            assertThat(inFolder.processes()).hasSizeGreaterThanOrEqualTo(3);
            assertThat(by(ladder(SHORT, SHORT, LONG).climb(inFolder))).isEqualTo("kill");
            assertThat(inFolder.processes()).isEmpty();
        }
    }

    @Test
    void orphansOfAKilledParentAreFoundByTheirMark() throws Exception {
        String mark = UUID.randomUUID().toString();
        Workload marked = new Workload.Marked("BATON_WORKLOAD", mark);
        try (RunningScript parent = RunningScript.start(
                folder, Map.of("BATON_WORKLOAD", mark), "cd /; setsid sleep 1000 & echo up; wait")) {
            ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly();
            ProcessHandle.of(parent.pid()).ifPresent(handle -> handle.onExit().join());
            assertThat(marked.processes()).isNotEmpty();
            assertThat(by(ladder(SHORT, SHORT, LONG).climb(marked))).isEqualTo("kill"); // a shell's child hears no INT
            assertThat(marked.isDown()).isTrue();
        }
    }

    @Test
    void theUsersHookStopsWhatHearsNoSignal() throws Exception {
        Path power = folder.resolveSibling(UUID.randomUUID() + ".off");
        String untilThePowerIsOff = "trap '' INT; echo up; while [ ! -e " + power + " ]; do sleep 0.05; done";
        Ladder ladder = new Ladder(List.of(
                new Rung.Signal("polite", "INT", SHORT),
                new Rung.Command("power off", List.of("touch", power.toString()), LONG),
                new Rung.Kill("kill", LONG)));
        try (RunningScript deaf = RunningScript.start(folder, Map.of(), untilThePowerIsOff)) {
            assertThat(deaf.isAlive()).isTrue();
            assertThat(by(ladder.climb(inFolder))).isEqualTo("power off");
        } finally {
            Files.deleteIfExists(power);
        }
    }

    @Test
    void aLadderThatDoesNotHelpSaysSoAndNamesWhatIsLeft() throws Exception {
        try (RunningScript deaf =
                RunningScript.start(folder, Map.of(), "trap '' INT TERM; echo up; while :; do sleep 0.05; done")) {
            Ladder useless = new Ladder(List.of(
                    new Rung.Signal("polite", "INT", SHORT),
                    new Rung.Command("a hook that is missing", List.of("/no/such/program"), SHORT)));
            assertThat(useless.climb(inFolder))
                    .isInstanceOfSatisfying(
                            Climb.Failed.class,
                            failed -> assertThat(failed.left()).contains(deaf.pid() + " "));
        }
    }

    @Test
    void anInterruptDoesNotStopTheClimb() throws Exception {
        try (RunningScript deaf =
                RunningScript.start(folder, Map.of(), "trap '' INT QUIT; echo up; while :; do sleep 0.05; done")) {
            assertThat(deaf.isAlive()).isTrue();
            Thread.currentThread().interrupt();
            assertThat(by(ladder(SHORT, SHORT, LONG).climb(inFolder))).isEqualTo("kill");
        } finally {
            Thread.interrupted();
        }
    }
}
