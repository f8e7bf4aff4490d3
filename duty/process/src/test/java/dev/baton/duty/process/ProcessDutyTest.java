package dev.baton.duty.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.memory.MemoryAuthority;
import dev.baton.authority.memory.MemoryEngine;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.standing.Standing;
import dev.baton.core.timing.Fault;
import dev.baton.process.Workload;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-22 and INV-23 on real processes: a process is active under the seat only. */
class ProcessDutyTest {

    private static final SeatId SEAT = SeatId.of("test", "work");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String WORKING = "while :; do sleep 0.05; done";

    @TempDir
    Path temporary;

    private Path folder = Path.of("/");

    private record Node(ProcessDuty duty, JoinedSeat seat, MemoryAuthority authority, Workload workload) {}

    private final MemoryEngine engine = new MemoryEngine(LoneAgent.TIMINGS.takeoverDelay());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void realFolder() throws Exception {
        folder = temporary.toRealPath();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    private static ProcessSettings settings(Path home, String start, String probe) {
        return new ProcessSettings(
                List.of("bash", "-c", start),
                Optional.empty(),
                Optional.of(List.of("bash", "-c", probe)),
                Optional.empty(),
                List.of(),
                Duration.ofMillis(500),
                home);
    }

    private Node join(String name, String probe) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        ProcessDuty duty = ProcessDuty.open(SEAT, settings(home, WORKING, probe), LoneAgent.TIMINGS);
        opened.add(duty);
        MemoryAuthority authority = engine.connect(new NodeId(name));
        JoinedSeat seat = Seat.of(SEAT)
                .contender(name)
                .timings(LoneAgent.TIMINGS)
                .onCannotStop(why -> {
                    throw new AssertionError(why);
                })
                .join(authority, duty);
        opened.add(seat);
        return new Node(duty, seat, authority, workload(home));
    }

    private static Workload workload(Path home) {
        return new Workload.Marked("BATON_WORKLOAD", SEAT + "@" + home);
    }

    private static void awaitLeading(Node node) {
        await().atMost(PATIENCE).until(() -> node.seat().status().leads());
    }

    @Test
    void theProcessRunsAtTheHolderOnlyAndMovesWithTheSeat() throws Exception {
        Node first = join("n1", "true");
        awaitLeading(first);
        Node second = join("n2", "true");
        assertThat(first.workload().isDown()).isFalse();
        assertThat(second.workload().isDown()).isTrue();

        first.seat().pause("test");
        await().atMost(PATIENCE).until(() -> {
            // Asked in this order: whoever is started second must not be seen while the first still runs.
            boolean secondRuns = !second.workload().isDown();
            assertThat(secondRuns && !first.workload().isDown()).isFalse();
            return secondRuns;
        });
        assertThat(first.duty().count().stopped()).containsKey("polite signal");
    }

    @Test
    void aProbeThatFailsCostsTheSeatAndTheProcess() throws Exception {
        Node node = join("n1", "test ! -e " + folder.resolve("sick"));
        awaitLeading(node);
        Files.createFile(folder.resolve("sick"));
        await().atMost(PATIENCE).until(() -> node.seat().status().standing() instanceof Standing.Fenced);
        await().atMost(PATIENCE).until(() -> node.workload().isDown());
        Files.delete(folder.resolve("sick"));
        awaitLeading(node);
        assertThat(node.workload().isDown()).isFalse();
    }

    @Test
    void aProcessThatEndsByItselfCostsTheSeat() throws Exception {
        Node node = join("n1", "true");
        awaitLeading(node);
        long epoch = node.seat()
                .status()
                .currentHolder()
                .orElseThrow()
                .term()
                .epoch()
                .value();
        node.workload().processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        await().atMost(PATIENCE)
                .until(() -> node.seat()
                        .status()
                        .currentHolder()
                        .filter(by -> by.term().epoch().value() > epoch)
                        .isPresent());
    }

    private record Agent(Process process, Workload workload) {}

    private Agent agent(String script, String ladder) throws Exception {
        Path home = Files.createDirectory(folder.resolve("agent"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoneAgent.class.getName(),
                        home.toString(),
                        script,
                        ladder)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("agent.log").toFile())
                .start();
        opened.add(process::destroyForcibly);
        Workload workload = workload(home);
        await().atMost(PATIENCE).until(() -> {
            assertThat(process.isAlive()).isTrue();
            return !workload.isDown();
        });
        return new Agent(process, workload);
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void theWorkloadOfAFrozenNodeIsStopped() throws Exception {
        Agent agent = agent(WORKING, "whole");
        signal("STOP", agent.process().pid());
        await().atMost(PATIENCE).until(() -> agent.workload().isDown());
    }

    @Test
    void theWorkloadOfAKilledNodeIsStopped() throws Exception {
        Agent agent = agent(WORKING, "whole");
        agent.process().destroyForcibly().waitFor();
        await().atMost(PATIENCE).until(() -> agent.workload().isDown());
    }

    @Test
    void aNodeWhoseWorkloadCannotBeStoppedShoutsAndEndsWithAStatusOfItsOwnAndItsWatchdogGoesOn() throws Exception {
        Agent agent = agent("trap '' TERM; " + WORKING, "polite");
        Path home = folder.resolve("agent");
        Files.createFile(home.resolve("sick"));
        assertThat(agent.process().waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(agent.process().exitValue()).isEqualTo(JoinedSeat.EXIT_CANNOT_STOP);
        assertThat(Files.readString(folder.resolve("agent.log"))).contains("FENCING FAILED");
        assertThat(agent.workload().isDown()).isFalse();
        Path log = home.resolve("watchdog.log");
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("STILL RUNNING"));
        agent.workload().processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("down: "));
    }

    @Test
    void aLadderLongerThanTheStopTimeIsRefused() {
        ProcessSettings settings = settings(folder, WORKING, "true");
        assertThat(settings.faults("", LoneAgent.TIMINGS)).isEmpty();
        List<List<String>> hook = List.of(List.of("true"));
        ProcessSettings longer = new ProcessSettings(
                settings.start(),
                settings.stop(),
                settings.probe(),
                settings.promote(),
                hook,
                Duration.ofMillis(500),
                folder);
        assertThat(longer.faults("", LoneAgent.TIMINGS)).extracting(Fault::key).containsExactly("takeover.stop");
    }
}
