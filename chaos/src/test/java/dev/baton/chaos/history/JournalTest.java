package dev.baton.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    private static final Held BLOCK = new Held(7, "h7", "h6", 3, "n1", 2, List.of("t1", "t2"));

    /** One event of each kind, with characters that JSON must escape and that UTF-8 needs several bytes for. */
    static final List<Event> EACH = List.of(
            new Event.Begun(
                    0,
                    new Setting(
                            42,
                            "redis",
                            "sequencer",
                            List.of("n1", "n2"),
                            List.of("r1"),
                            60_000_000_000L,
                            "abc",
                            "2 cores",
                            "baton chaos --seed 42",
                            "2026-01-01T00:00:00Z"),
                    List.of(new PlannedFault(
                            1, 5, 10, FaultKind.LATENCY, List.of(PlannedFault.LEADER), Map.of("delayMillis", "20")))),
            new Event.Invoked(1, 1, "c1", "n1", new Request.Submit("t1")),
            new Event.Invoked(2, 2, "c2", "n2", new Request.Next("orders", 10, Request.Next.STRICT)),
            new Event.Answered(3, 1, new Answer.Included(7, 0, "h7", true)),
            new Event.Answered(4, 2, new Answer.Issued(1, 10, 1, 5, 3, 7)),
            new Event.Answered(5, 3, new Answer.Refused("no \"leader\"\nknown")),
            new Event.Answered(6, 4, new Answer.Unknown("Zeit\u00fcberschreitung \ud83d\ude00")),
            new Event.FaultBegan(7, 1, FaultKind.PARTITION, List.of("n1"), Map.of("way", "both")),
            new Event.FaultEnded(8, 1),
            new Event.FaultFailed(9, 2, "no such process"),
            new Event.Sampled(10, "n1", "leader", 3, 7, true),
            new Event.BlockSeen(11, "reader-1", "n1", BLOCK),
            new Event.FinalStore(12, "n1", List.of(BLOCK)),
            new Event.FinalLedger(13, "r1", List.of(BLOCK, new Held(8, "h8", "", 3, "", 5, List.of()))),
            new Event.FinalTokens(13, "n1", "orders", 1, List.of(new Reserved(3, 1, 101, 2, 9))),
            new Event.Invoked(2, 5, "c3", "n2", new Request.Offer("t5")),
            new Event.Invoked(2, 6, "c4", "n2", new Request.Write("r6")),
            new Event.Invoked(2, 7, "c5", "n2", new Request.Follow(6)),
            new Event.Invoked(2, 8, "prober-n2", "n2", new Request.Watch("n2")),
            new Event.Answered(3, 7, new Answer.Recorded("n2", 7, "h7", 3)),
            new Event.Answered(3, 8, new Answer.Made("n2", 3, 8)),
            new Event.Answered(3, 5, new Answer.Pooled()),
            new Event.Answered(3, 6, new Answer.Written("n2", 4)),
            new Event.FinalPool(
                    13, "n1", List.of(new PoolRecord("t5", List.of("FINALIZED"), List.of("PENDING", "FINALIZED")))),
            new Event.FinalRows(13, "n1", List.of("r6")),
            new Event.Ended(14, true, "time is over"));

    @TempDir
    Path folder;

    @Test
    void eachKindOfEventComesBackAsItWas() throws IOException {
        Path file = folder.resolve("journal.jsonl");
        try (JournalWriter writer = JournalWriter.create(file)) {
            EACH.forEach(writer::append);
            assertThat(writer.events()).isEqualTo(EACH);
        }
        assertThat(EACH.stream().map(Event::getClass).distinct())
                .as("every kind is in the sample")
                .hasSize(Event.class.getPermittedSubclasses().length);
        assertThat(Journal.read(file).events()).isEqualTo(EACH);
        assertThat(Journal.read(file).torn()).isEmpty();
        assertThat(Files.readAllLines(file)).hasSameSizeAs(EACH);
    }

    @Test
    void aLineHoldsTheRecordAndNothingElse() {
        assertThat(EventCodec.line(EACH.get(2)))
                .isEqualTo(
                        "{\"is\":\"invoked\",\"atNanos\":2,\"op\":2,\"client\":\"c2\",\"node\":\"n2\","
                                + "\"request\":{\"is\":\"next\",\"namespace\":\"orders\",\"count\":10,\"guarantee\":\"strict\"}}");
        assertThat(EventCodec.line(EACH.get(3)))
                .isEqualTo(
                        "{\"is\":\"answered\",\"atNanos\":3,\"op\":1,"
                                + "\"answer\":{\"is\":\"included\",\"height\":7,\"index\":0,\"block\":\"h7\",\"duplicate\":true}}");
    }

    @Test
    void aJournalCutAtAnyByteGivesAllWholeLines() throws IOException {
        byte[] bytes = String.join("\n", EACH.stream().map(EventCodec::line).toList())
                .concat("\n")
                .getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length <= bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            Path file = Files.write(folder.resolve("cut.jsonl"), cut);
            int wholeLines =
                    (int) IntStream.range(0, length).filter(i -> cut[i] == '\n').count();
            Journal journal = Journal.read(file);
            assertThat(journal.events()).as("cut after %d bytes", length).isEqualTo(EACH.subList(0, wholeLines));
            assertThat(journal.torn().isPresent()).isEqualTo(length > 0 && cut[length - 1] != '\n');
        }
    }

    @Test
    void aBrokenLineInTheMiddleIsNamed() throws IOException {
        Path file = folder.resolve("journal.jsonl");
        Files.writeString(
                file, EventCodec.line(EACH.get(0)) + "\n{\"is\":\"answ\n" + EventCodec.line(EACH.get(1)) + "\n");
        assertThatThrownBy(() -> Journal.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void aLineThatLacksAFieldIsNoEvent() throws IOException {
        Path file = folder.resolve("journal.jsonl");
        Files.writeString(file, "{\"is\":\"faultEnded\",\"atNanos\":8}\n");
        assertThatThrownBy(() -> Journal.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("fault");
    }

    @Test
    void anEarlierJournalIsNotWrittenOver() throws IOException {
        Path file = Files.writeString(folder.resolve("journal.jsonl"), "precious");
        assertThatThrownBy(() -> JournalWriter.create(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("precious");
    }

    @Test
    void anEventIsOnDiskBeforeTheJournalIsClosedAndNoneComesAfter() throws IOException {
        Path file = folder.resolve("journal.jsonl");
        JournalWriter writer = JournalWriter.create(file);
        writer.append(EACH.get(0));
        assertThat(Journal.read(file).begun()).isEqualTo(EACH.get(0));
        writer.close();
        writer.append(EACH.get(1));
        assertThat(Journal.read(file).events()).hasSize(1);
        assertThat(writer.events()).hasSize(1);
    }

    @Test
    void aJournalWithoutABeginningSaysWhatIsMissing() {
        Journal journal = new Journal(List.of(new Event.FaultEnded(8, 1)), java.util.Optional.empty());
        assertThatThrownBy(journal::begun).hasMessageContaining("expected: what was run");
    }

    @Test
    void aBlockThatListsSomeOfItsTransactionsIsRefused() {
        assertThatThrownBy(() -> new Held(1, "h", "", 1, "n1", 2, List.of("t1")))
                .hasMessageContaining("expected: none, or all 2");
    }
}
