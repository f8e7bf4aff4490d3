package dev.baton.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.control.access.Caller;
import dev.baton.control.access.Role;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records reach the ledger whatever becomes of the process in between. */
class JournalTest {

    private static final NodeId SELF = new NodeId("n1");

    @TempDir
    Path folder;

    private final List<AuditRecord> delivered = new CopyOnWriteArrayList<>();

    private Journal open(long nowMillis, boolean reachable) throws IOException {
        return Journal.open(SELF, folder.resolve("outbox.log"), nowMillis, records -> {
            if (reachable) {
                records.forEach(record -> delivered.add(AuditRecord.ofJson(record)));
            }
            return reachable;
        });
    }

    private static AuditRecord deed(String reason) {
        AuditRecord usual = Records.deed("", 0, "");
        return new AuditRecord(
                "",
                0,
                usual.at(),
                usual.who(),
                usual.role(),
                usual.certificate(),
                usual.requester(),
                usual.from(),
                usual.call(),
                usual.seat(),
                reason,
                "",
                AuditRecord.BEGUN,
                "",
                0,
                0,
                "",
                "");
    }

    private void awaitDelivered(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> delivered.size() >= count);
    }

    @Test
    void whatWasBegunBeforeTheProcessEndedIsSentByTheNextOne() throws IOException {
        try (Journal first = open(1_000, false)) {
            first.begin(deed("then it was killed"));
        }

        try (Journal ignored = open(2_000, true)) {
            awaitDelivered(1);
        }

        assertThat(delivered).singleElement().satisfies(record -> {
            assertThat(record.reason()).isEqualTo("then it was killed");
            assertThat(record.outcome()).isEqualTo(AuditRecord.BEGUN);
        });
    }

    @Test
    void aRecordThatFollowsOneThatACrashCutOffIsKept() throws IOException {
        Path outbox = folder.resolve("outbox.log");
        byte[] line = deed("größer").toJson().getBytes(StandardCharsets.UTF_8);
        int withinLetter = new String(line, StandardCharsets.ISO_8859_1).indexOf('\u00c3') + 1;
        Files.write(outbox, Arrays.copyOf(line, withinLetter), StandardOpenOption.CREATE);
        try (Journal first = open(1_000, false)) {
            first.begin(deed("after the crash"));
        }

        try (Journal ignored = open(2_000, true)) {
            awaitDelivered(1);
        }

        assertThat(delivered).extracting(AuditRecord::reason).containsExactly("after the crash");
    }

    @Test
    void numbersGoOnWhenTheClockWasSetBackAfterTheOutboxWasShortened() throws IOException {
        try (Journal first = open(1_000_000, true)) {
            for (int i = 0; i < 700; i++) { // more than an outbox keeps
                first.begin(deed("x".repeat(400)));
            }
            awaitDelivered(700);
            await().atMost(Duration.ofSeconds(30)).until(() -> first.waitingCount() == 0);
        }
        assertThat(Files.size(folder.resolve("outbox.log"))).isLessThan(256 << 10);
        long highest = delivered.getLast().sequence();
        delivered.clear();

        try (Journal second = open(1_000, true)) {
            second.begin(deed("later"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> delivered.stream()
                            .anyMatch(record -> record.reason().equals("later")));
        }

        assertThat(delivered.getLast().sequence()).isGreaterThan(highest);
    }

    @Test
    void whatCannotBeWrittenDownIsNotBegun() throws IOException {
        try (Journal journal = Journal.open(SELF, folder.resolve("gone").resolve("outbox.log"), 1, records -> true)) {
            assertThatThrownBy(() -> journal.begin(deed("no folder"))).isInstanceOf(IOException.class);

            assertThat(journal.waitingCount()).isZero();
        }
    }

    @Test
    void refusalsThatCameTooFastAreCountedEvenIfNoneFollows() throws IOException {
        try (Journal journal = open(1_000, true)) {
            Book book = Book.open(folder.resolve("audit.log"));
            Auditor auditor = new Auditor(journal, new ControlDuty(book), book, InstantSource.fixed(Instant.EPOCH));
            for (int i = 0; i < 12; i++) {
                auditor.denied(new Caller("mallory", Role.OBSERVER, "", ""), "StopSequencer", "not allowed");
            }

            awaitDelivered(6);
        }

        assertThat(delivered.getLast().detail())
                .isEqualTo("7 refusals before this one came too fast to be written down");
    }
}
