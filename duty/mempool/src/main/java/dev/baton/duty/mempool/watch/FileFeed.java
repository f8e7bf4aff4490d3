package dev.baton.duty.mempool.watch;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Point;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A chain in a text file that grows at its end, and that any number of watchers read from the beginning.
 *
 * <p>A line {@code + point hash hash …} is a block on top of the last one, with the transactions that it carries; a line
 * {@code -} takes the last block back. Points are written {@code number.hash}, and every line ends with {@code " ."}.
 */
public final class FileFeed implements BlockFeed {

    /** Ends a line that is whole: its writer may have got no further than half of the last one. */
    private static final String END = " .";

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Path file;
    private final List<ChainBlock> chain = new ArrayList<>();
    private long linesRead;
    private long sizeRead;

    public FileFeed(Path file) {
        this.file = file;
    }

    @Override
    public Next after(Point cursor, Duration patience) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Next next = look(cursor);
            long leftMillis = (end - System.nanoTime()) / 1_000_000;
            if (!(next instanceof Next.Nothing) || leftMillis <= 0) {
                return next;
            }
            Thread.sleep(Math.min(leftMillis, LOOK_AGAIN.toMillis()));
        }
    }

    /** A watch that is ending and the next one may both be here for a moment. */
    private synchronized Next look(Point cursor) throws IOException {
        refresh();
        return find(cursor);
    }

    private Next find(Point cursor) {
        if (cursor.equals(Point.ORIGIN)) {
            return chain.isEmpty() ? new Next.Nothing() : new Next.Found(chain.getFirst());
        }
        // From the end: a watcher is usually close to it.
        for (int i = chain.size() - 1; i >= 0; i--) {
            if (chain.get(i).point().equals(cursor)) {
                return i + 1 < chain.size() ? new Next.Found(chain.get(i + 1)) : new Next.Nothing();
            }
        }
        return new Next.Undone();
    }

    private void refresh() throws IOException {
        if (!Files.exists(file) || Files.size(file) == sizeRead) {
            return;
        }
        long size = Files.size(file);
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (number > linesRead && line.endsWith(END)) {
                    take(line.substring(0, line.length() - END.length()), number);
                    linesRead = number;
                }
            }
        }
        sizeRead = size;
    }

    private void take(String line, long number) throws IOException {
        if (line.equals("-")) {
            if (chain.isEmpty()) {
                throw new IOException(file + " line " + number + ": takes a block back (expected: a block before it)");
            }
            chain.removeLast();
            return;
        }
        String[] parts = line.split(" ", -1);
        if (parts.length < 2 || !parts[0].equals("+")) {
            throw new IOException(file + " line " + number + ": " + line + " (expected: + point hash …, or -)");
        }
        Point parent = chain.isEmpty() ? Point.ORIGIN : chain.getLast().point();
        try {
            List<Hash> seen = new ArrayList<>();
            for (int i = 2; i < parts.length; i++) {
                seen.add(Hash.parse(parts[i]));
            }
            chain.add(new ChainBlock(Point.parse(parts[1]), parent, seen));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " line " + number + ": " + e.getMessage(), e);
        }
    }

    /** Adds a block to a file of this kind. */
    public static void append(Path file, Point point, List<Hash> carried) throws IOException {
        String hashes = carried.stream().map(hash -> " " + hash).collect(Collectors.joining());
        write(file, "+ " + point + hashes);
    }

    /** Takes the last block of a file of this kind back. */
    public static void undo(Path file) throws IOException {
        write(file, "-");
    }

    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line + END + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
