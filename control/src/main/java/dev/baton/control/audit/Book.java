package dev.baton.control.audit;

import dev.baton.control.state.DurableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All records of the cluster as a text file on this node, one line each. Thread-safe.
 *
 * <p>It is written from the ledger, and compared with it at every start. One that does not fit is left as it is, because
 * it is evidence; nothing is written to it any more.
 */
public final class Book {

    private final Path file;
    private final List<String> hashes = new ArrayList<>();
    private @Nullable String damage;

    private Book(Path file) {
        this.file = file;
    }

    /**
     * What a book turned out to be.
     *
     * @param count how many records follow each other as they should
     * @param tip the hash of the last of them
     * @param fault where and how it goes wrong after them; empty if it does not
     */
    public record Verdict(long count, String tip, Optional<String> fault) {}

    public static Book open(Path file) throws IOException {
        dropUnfinishedLine(file);
        Book book = new Book(file);
        Verdict verdict = book.read();
        book.damage = verdict.fault().orElse(null);
        return book;
    }

    /** A crash may cut a line off while it is written. Nothing is lost by that: the ledger has the record, and tells it again. */
    private static void dropUnfinishedLine(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end < bytes.length) {
            DurableText.replace(file, new String(bytes, 0, end, StandardCharsets.UTF_8));
        }
    }

    /** Reads a whole book and checks that each line follows the one before. */
    public static Verdict verify(Path file) throws IOException {
        return new Book(file).read();
    }

    private Verdict read() throws IOException {
        long count = 0;
        String tip = ChainedLine.BEGINNING;
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        for (String text : lines) {
            Optional<String> fault = fault(text, count, tip);
            if (fault.isPresent()) {
                return new Verdict(count, tip, Optional.of("line " + (count + 1) + ": " + fault.get()));
            }
            tip = ChainedLine.ofText(text).hash();
            hashes.add(tip);
            count++;
        }
        return new Verdict(count, tip, Optional.empty());
    }

    private static Optional<String> fault(String text, long count, String tip) {
        ChainedLine line;
        try {
            line = ChainedLine.ofText(text);
        } catch (IllegalArgumentException e) {
            return Optional.of("not a record (expected: number, hash, record)");
        }
        if (line.number() != count + 1) {
            return Optional.of("record " + line.number() + " (expected: " + (count + 1)
                    + "; records were taken out, or put in another order)");
        }
        return line.follows(count, tip)
                ? Optional.empty()
                : Optional.of("record " + line.number()
                        + " does not fit its hash (expected: as it was written; it was changed, or one before it was)");
    }

    /** Writes a record that the ledger has committed, or compares it if it is here already. */
    synchronized void take(ChainedLine line) throws IOException {
        if (damage != null) {
            return;
        }
        if (line.number() <= hashes.size()) {
            if (!hashes.get((int) line.number() - 1).equals(line.hash())) {
                damage = "record " + line.number() + " is not the one that the ledger has";
            }
        } else if (line.number() > hashes.size() + 1) {
            damage = "records " + (hashes.size() + 1) + " to " + (line.number() - 1)
                    + " are missing: the ledger no longer has them (expected: a copy of another node's book)";
        } else {
            DurableText.append(file, line.toText());
            hashes.add(line.hash());
        }
    }

    /** A checkpoint of the ledger says what the book must contain. */
    synchronized void compare(long count, String tip) {
        if (damage == null
                && count > 0
                && count <= hashes.size()
                && !hashes.get((int) count - 1).equals(tip)) {
            damage = "record " + count + " is not the one that the ledger has";
        }
    }

    /** What is wrong with it; empty if nothing is. */
    public synchronized Optional<String> damage() {
        return Optional.ofNullable(damage);
    }

    /** The lines from a number on, at most so many. */
    public List<String> lines(long from, int most) throws IOException {
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        long begin = from > 0 ? from - 1 : Math.max(0, lines.size() - most);
        return lines.stream().skip(begin).limit(most).toList();
    }
}
