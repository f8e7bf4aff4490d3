package dev.baton.control.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.SeatName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemembersTest {

    private static final SeatName BLOCKS = new SeatName("blocks");

    @TempDir
    Path folder;

    private Instant now = Instant.ofEpochSecond(1_000_000);

    @Test
    void aStopOutlastsARestartAndEndsWithAStart() throws IOException {
        StopSwitch.open(folder, List.of(BLOCKS)).stop(BLOCKS, new StopSwitch.Stop("alice", "disk"));

        StopSwitch restarted = StopSwitch.open(folder, List.of(BLOCKS));
        assertThat(restarted.of(BLOCKS))
                .hasValueSatisfying(stop -> assertThat(stop).hasToString("stopped by alice: disk"));
        restarted.start(BLOCKS);

        assertThat(StopSwitch.open(folder, List.of(BLOCKS)).of(BLOCKS)).isEmpty();
    }

    @Test
    void brokenGlassOutlastsARestartAndMendsItselfInTime() throws IOException {
        glass().breakIt("bob", "fire", Duration.ofMinutes(10));

        BreakGlass restarted = glass();
        assertThat(restarted.now())
                .hasValueSatisfying(broken -> assertThat(broken.reason()).isEqualTo("fire"));
        now = now.plus(Duration.ofMinutes(10));

        assertThat(restarted.now()).isEmpty();
        assertThat(glass().now()).isEmpty();
    }

    @Test
    void brokenGlassIsMendedWithoutARestart() throws IOException {
        BreakGlass glass = glass();
        glass.breakIt("bob", "fire", Duration.ofMinutes(10));

        assertThat(glass.mend()).isTrue();
        assertThat(glass.now()).isEmpty();
        assertThat(glass().now()).isEmpty();
    }

    private BreakGlass glass() throws IOException {
        return BreakGlass.open(folder.resolve("break-glass.json"), () -> now);
    }
}
