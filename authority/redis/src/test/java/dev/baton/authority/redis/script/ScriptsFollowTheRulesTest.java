package dev.baton.authority.redis.script;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.authority.redis.testing.RedisServer;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** The scripts on a real Redis do exactly what the rules in Java say: every answer, and the whole state after it. */
class ScriptsFollowTheRulesTest {

    private static final int STEPS = 70;
    private static final AtomicInteger SEATS = new AtomicInteger();
    private static final Map<String, Integer> ANSWERS = new HashMap<>();

    private static @Nullable RedisServer server;
    private static @Nullable ScriptRunner scripts;

    @BeforeContainer
    static void start() throws IOException {
        RedisServer started = RedisServer.in(Files.createTempDirectory(Path.of("target"), "redis"))
                .inMemory()
                .start();
        server = started;
        scripts = new ScriptRunner(started.address(), started.info("server", "run_id"));
    }

    @AfterContainer
    static void stop() {
        requireNonNull(scripts).close();
        requireNonNull(server).close();
        // A test that hardly ever gets anywhere proves nothing: each answer must have been given many times.
        assertThat(ANSWERS.keySet())
                .contains(
                        "Granted",
                        "Held",
                        "Stale",
                        "Elsewhere",
                        "Accepted",
                        "Ahead",
                        "Behind",
                        "Fenced",
                        "Done",
                        "Trimmed",
                        "Seen",
                        "Entries",
                        "Blank",
                        "Other",
                        "Unsent");
        assertThat(ANSWERS.values()).allSatisfy(times -> assertThat(times).isGreaterThan(30));
    }

    @Property(tries = 200, shrinking = ShrinkingMode.OFF)
    void everyAnswerAndTheWholeStateAreTheSame(@ForAll long seed) {
        SeatId seat = SeatId.of("twins", "seat-" + SEATS.incrementAndGet());
        Twins twins = new Twins(requireNonNull(scripts), seat, new Random(seed));
        for (int i = 0; i < STEPS; i++) {
            twins.step().ifPresent(answer -> ANSWERS.merge(answer.getClass().getSimpleName(), 1, Integer::sum));
        }
    }
}
