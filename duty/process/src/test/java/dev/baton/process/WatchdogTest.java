package dev.baton.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-23: a watchdog process of its own stops the workload when the node does not. */
class WatchdogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String WORKING = "echo up; while :; do sleep 0.05; done";

    @TempDir
    Path temporary;

    private Path work = Path.of("/");
    private Workload workload = new Workload.InFolder(work);
    private Optional<Watchdog> started = Optional.empty();

    @BeforeEach
    void realFolder() throws Exception {
        work = Files.createDirectory(temporary.toRealPath().resolve("work"));
        workload = new Workload.InFolder(work);
    }

    @AfterEach
    void end() {
        started.ifPresent(Watchdog::close);
    }

    private Watchdog watchdog() throws Exception {
        Ladder ladder = new Ladder(
                List.of(new Rung.Signal("polite", "TERM", Duration.ofSeconds(1)), new Rung.Kill("kill", PATIENCE)));
        Watchdog watchdog = Watchdog.start(
                new WatchFile(workload, ladder), temporary.resolve("watchdog.txt"), temporary.resolve("watchdog.log"));
        started = Optional.of(watchdog);
        return watchdog;
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    @Test
    void aNodeThatStopsProvingItselfLosesItsWorkload() throws Exception {
        Watchdog watchdog = watchdog();
        try (RunningScript script = RunningScript.start(work, Map.of(), WORKING)) {
            watchdog.arm(in(PATIENCE));
            watchdog.arm(in(Duration.ofMillis(200)));
            await().atMost(PATIENCE).until(() -> !script.isAlive() && workload.isDown());
            assertThat(watchdog.isAlive()).isTrue(); // for the next term
        }
    }

    @Test
    void aWordThatWasLongUnderWayExtendsNothing() throws Exception {
        Watchdog watchdog = watchdog();
        try (RunningScript script = RunningScript.start(work, Map.of(), WORKING)) {
            watchdog.arm(in(Duration.ofSeconds(-1)));
            await().atMost(PATIENCE).until(() -> !script.isAlive());
        }
    }

    @Test
    void aNodeThatIsGoneLosesItsWorkloadAtOnce() throws Exception {
        Watchdog watchdog = watchdog();
        try (RunningScript script = RunningScript.start(work, Map.of(), WORKING)) {
            watchdog.arm(in(Duration.ofHours(1)));
            watchdog.close(); // as the end of the node's process would close it
            await().atMost(PATIENCE).until(() -> !script.isAlive());
            await().atMost(PATIENCE).until(() -> !watchdog.isAlive());
        }
    }

    @Test
    void atRestItLetsTheWorkloadLive() throws Exception {
        Watchdog watchdog = watchdog();
        try (RunningScript script = RunningScript.start(work, Map.of(), WORKING)) {
            watchdog.arm(in(PATIENCE));
            watchdog.rest();
            watchdog.close();
            await().atMost(PATIENCE).until(() -> !watchdog.isAlive());
            assertThat(script.isAlive()).isTrue();
        }
    }

    @Test
    void aFrozenOrEndedWatchdogIsNoticed() throws Exception {
        Watchdog watchdog = watchdog();
        watchdog.arm(in(PATIENCE));
        await().atMost(PATIENCE).until(() -> watchdog.objection(Duration.ZERO).isEmpty());
        signal("STOP", watchdog.pid());
        await().atMost(PATIENCE).until(() -> isStopped(watchdog.pid())); // each thread stops when it next can
        watchdog.arm(in(PATIENCE));
        await().atMost(PATIENCE)
                .until(() -> watchdog.objection(Duration.ofMillis(100))
                        .filter(why -> why.contains("not answered"))
                        .isPresent());
        ProcessHandle.of(watchdog.pid()).orElseThrow().destroyForcibly();
        await().atMost(PATIENCE)
                .until(() -> watchdog.objection(PATIENCE)
                        .filter(why -> why.contains("ended"))
                        .isPresent());
    }

    private static boolean isStopped(long pid) throws Exception {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                if (!Files.readString(thread.resolve("status")).contains("State:\tT")) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }
}
