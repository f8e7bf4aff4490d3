package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.duty.postgres.InstalledPostgres;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Databases whose wall clocks jump while they run, by libfaketime: an hour ahead, an hour back, on the primary and on a
 * standby. Their nodes' clocks stay right; one that is wrong is refused (StandbyRefusesTest).
 */
@Timeout(400)
class PostgresClockTest {

    private static final int HOUR_SECONDS = 3600;

    /** So many are to be committed after a jump; a primary that cannot is fenced, and another one is in the history. */
    private static final int PULSES = 6;

    private static final Pattern HEIGHT = Pattern.compile("(?m)^baton_height\\{seat=\"pg\"}\\s+(\\S+)");

    /** The file that tells a server how far its clock is off. */
    private final Map<String, Path> clocks = new ConcurrentHashMap<>();

    private final PostgresNodes nodes = PostgresNodes.start(this::programsWithAnotherClock, "8s");

    PostgresClockTest() throws IOException {}

    @AfterEach
    void end() throws IOException, InterruptedException {
        nodes.close();
    }

    private Optional<Path> programsWithAnotherClock(String node, Path folder) throws IOException {
        Path programs = folder.resolve(node + "-programs");
        if (!Files.exists(programs)) {
            clocks.put(node, folder.resolve(node + "-clock"));
            setClock(node, 0);
            Files.createDirectory(
                    programs, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            Path real = InstalledPostgres.required();
            try (Stream<Path> all = Files.list(real)) {
                for (Path program : all.toList()) {
                    Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
                }
            }
            Path server = programs.resolve("postgres");
            Files.delete(server);
            Files.writeString(server, """
                    #!/bin/sh
                    export LD_PRELOAD=%s FAKETIME_TIMESTAMP_FILE=%s FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
                    exec %s "$@"
                    """.formatted(library(), clocks.get(node), real.resolve("postgres")));
            Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return Optional.of(programs);
    }

    private static Path library() throws IOException {
        try (DirectoryStream<Path> machines = Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu*")) {
            for (Path machine : machines) {
                Path library = machine.resolve("faketime").resolve("libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return library;
                }
            }
        }
        throw new IOException("libfaketimeMT.so.1 is not there (expected: the Debian package faketime)");
    }

    /** Whole at once: a server may look at any moment. */
    private void setClock(String node, int seconds) throws IOException {
        Path clock = Objects.requireNonNull(clocks.get(node));
        Path fresh = Files.writeString(clock.resolveSibling(node + "-clock-to-be"), "%+d".formatted(seconds));
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(fresh, clock, StandardCopyOption.ATOMIC_MOVE);
    }

    private void jump(String node, int seconds) throws Exception {
        setClock(node, seconds);
        await().atMost(PostgresNodes.PATIENCE)
                .ignoreException(SQLException.class)
                .untilAsserted(
                        () -> assertThat(nodes.number(node, "SELECT extract(epoch FROM clock_timestamp())::bigint")
                                        - System.currentTimeMillis() / 1000)
                                .isBetween(seconds - 60L, seconds + 60L));
    }

    private void awaitPulses() throws Exception {
        long from = height();
        await().atMost(PostgresNodes.PATIENCE).until(() -> height() >= from + PULSES);
    }

    private long height() throws Exception {
        Matcher found = HEIGHT.matcher(nodes.text("n1", "/metrics"));
        assertThat(found.find()).isTrue();
        return (long) Double.parseDouble(found.group(1));
    }

    @Test
    void clocksThatJumpOnEitherSideMoveNothingAndAreNoReasonToLoseARow() throws Exception {
        nodes.awaitHome();
        String history = nodes.text("n1", "/history");
        assertThat(nodes.number("n1", "CREATE TABLE jumped (id int)")).isZero();
        int rows = 0;
        for (String node : List.of("n1", "n2")) {
            for (int seconds : List.of(HOUR_SECONDS, -HOUR_SECONDS)) {
                jump(node, seconds);
                awaitPulses();
                nodes.awaitHome(); // servers end connections that seem an hour old, and make new ones
                assertThat(nodes.number("n1", "INSERT INTO jumped VALUES (" + ++rows + ")"))
                        .isZero();
            }
        }
        assertThat(nodes.text("n1", "/history")).as("no change of primary").isEqualTo(history);

        jump("n2", HOUR_SECONDS);
        jump("n3", HOUR_SECONDS);
        nodes.awaitHome();
        nodes.cutPower("n1");
        String second = nodes.awaitPrimaryOtherThan("n1"); // two hours ahead of the one before
        assertThat(nodes.number(second, "SELECT count(*) FROM jumped")).isEqualTo(rows);
        assertThat(nodes.number(second, "INSERT INTO jumped VALUES (" + ++rows + ")"))
                .isZero();

        nodes.start("n1");
        nodes.awaitHome();
        assertThat(nodes.number("n1", "SELECT count(*) FROM jumped")).isEqualTo(rows);
    }
}
