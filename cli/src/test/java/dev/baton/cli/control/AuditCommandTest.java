package dev.baton.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A book made by hand from its description in docs/reference/control.md, so that the description is tested, too. */
class AuditCommandTest {

    @TempDir
    Path folder;

    private Path book;

    @BeforeEach
    void writeABook() throws Exception {
        book = folder.resolve("audit.log");
        StringBuilder text = new StringBuilder();
        String tip = "0".repeat(64);
        for (int number = 1; number <= 3; number++) {
            String json =
                    "{\"node\":\"n1\",\"sequence\":" + number + ",\"at\":\"2026-01-01T00:00:00Z\",\"who\":\"alice\","
                            + "\"role\":\"operator\",\"certificate\":\"\",\"requester\":\"\",\"from\":\"\","
                            + "\"call\":\"StopSequencer\",\"seat\":\"blocks\",\"reason\":\"disk\",\"key\":\"\",\"outcome\":\"OK\","
                            + "\"detail\":\"\",\"epoch\":3,\"height\":42,\"request\":\"\",\"answer\":\"\"}";
            byte[] covered = (tip + "\n" + number + "\n" + json + "\n").getBytes(StandardCharsets.UTF_8);
            tip = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(covered));
            text.append(number).append(' ').append(tip).append(' ').append(json).append('\n');
        }
        Files.writeString(book, text);
    }

    @Test
    void aWholeBookIsListedAndPasses() {
        Cli listed = Cli.run("audit", "list", "--file", book.toString());
        Cli verified = Cli.run("audit", "verify", "--file", book.toString());

        assertThat(listed.code()).as(listed.err()).isZero();
        assertThat(listed.out()).contains("alice", "StopSequencer", "disk");
        assertThat(verified.code()).as(verified.out() + verified.err()).isZero();
        assertThat(verified.lines().getLast()).isEqualTo("PASS");
    }

    @Test
    void aFlippedByteFailsTheBook() throws IOException {
        Files.writeString(book, Files.readString(book).replaceFirst("\"height\":42", "\"height\":43"));

        Cli verified = Cli.run("audit", "verify", "--file", book.toString());

        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out()).contains("BROKEN at line 1: record 1 does not fit its hash");
    }
}
