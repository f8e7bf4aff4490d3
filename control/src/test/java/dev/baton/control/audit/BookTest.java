package dev.baton.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** INV-21: no record is changed, taken out or moved unseen. */
class BookTest {

    @TempDir
    Path folder;

    private Path file;
    private final ControlState state = new ControlState();

    @BeforeEach
    void fiveRecords() throws IOException {
        file = folder.resolve("audit.log");
        Book book = Book.open(file);
        for (int i = 1; i <= 5; i++) {
            book.take(state.apply(Records.deed("n1", i, "key-" + i).toJson()).orElseThrow());
        }
    }

    @Test
    void aBookAsItWasWrittenIsWhole() throws IOException {
        assertThat(Book.verify(file)).isEqualTo(new Book.Verdict(5, state.tip(), java.util.Optional.empty()));
    }

    @Test
    void everyFlippedByteIsFound() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            boolean unseen;
            try {
                Book.Verdict verdict = Book.verify(file);
                // A byte that splits the last line from its end leaves fewer lines, which the tip of the ledger tells.
                unseen = verdict.fault().isEmpty() && verdict.tip().equals(state.tip()) && verdict.count() == 5;
            } catch (java.nio.charset.MalformedInputException e) {
                unseen = false;
            }
            assertThat(unseen && at < whole.length - 1).as("byte " + at).isFalse();
        }
    }

    @Test
    void aLineThatACrashCutOffIsTakenAgainFromTheLedger() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 7));

        Book book = Book.open(file);
        for (ChainedLine line : state.recent()) {
            book.take(line);
        }

        assertThat(book.damage()).isEmpty();
        assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }

    @Test
    void aRemovedRecordIsFound() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.remove(2);
        Files.write(file, lines);

        assertThat(Book.verify(file).fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("line 3", "record 4 (expected: 3"));
    }

    @Test
    void swappedRecordsAreFound() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        Collections.swap(lines, 1, 3);
        Files.write(file, lines);

        assertThat(Book.verify(file).fault()).isPresent();
    }

    @Test
    void anEditThatAlsoMendsItsOwnHashIsFoundByTheNextRecord() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        ChainedLine second = ChainedLine.ofText(lines.get(1));
        ChainedLine first = ChainedLine.ofText(lines.get(0));
        lines.set(
                1,
                ChainedLine.after(1, first.hash(), second.json().replace("key-2", "key-9"))
                        .toText());
        Files.write(file, lines);

        assertThat(Book.verify(file).fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("line 3"));
    }

    @Test
    void aBookRewrittenFromThereOnDoesNotFitTheLedger() throws IOException {
        ControlState forged = new ControlState();
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            lines.add(forged.apply(Records.deed("n1", i, "forged").toJson())
                    .orElseThrow()
                    .toText());
        }
        Files.write(file, lines);
        Book book = Book.open(file);
        assertThat(book.damage()).isEmpty();

        ControlState ledger = new ControlState();
        book.take(ledger.apply(Records.deed("n1", 1, "key-1").toJson()).orElseThrow());

        assertThat(book.damage()).hasValue("record 1 is not the one that the ledger has");
    }

    @Test
    void aDamagedBookIsLeftAsItIs() throws IOException {
        Files.writeString(file, "nonsense\n");
        Book book = Book.open(file);
        book.take(state.apply(Records.deed("n1", 6, "").toJson()).orElseThrow());

        assertThat(Files.readString(file)).isEqualTo("nonsense\n");
        assertThat(book.damage()).isPresent();
    }
}
