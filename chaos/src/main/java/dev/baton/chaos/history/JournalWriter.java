package dev.baton.chaos.history;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes events to a journal as they happen, and remembers them for the judge. Thread-safe; each event is with the
 * operating system when {@code append} returns, so that a killed run leaves all but its last line.
 *
 * <p>Events are kept in the order in which they were appended. Two threads may append in another order than they
 * stamped: the judge goes by {@code atNanos}, not by place.
 */
public final class JournalWriter implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final BufferedWriter writer;
    private final List<Event> events = new ArrayList<>();
    private boolean closed;

    private JournalWriter(BufferedWriter writer) {
        this.writer = writer;
    }

    /** A new journal; one that is there already is not written over. */
    public static JournalWriter create(Path file) throws IOException {
        Files.createFile(file);
        // No channel: one closes for everybody when a thread that writes is interrupted, and at the end of a run many
        // are.
        return new JournalWriter(new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(file.toFile()), StandardCharsets.UTF_8)));
    }

    /** Appends an event; one that comes after the journal was closed (a late answer) is dropped. */
    public void append(Event event) {
        String line = EventCodec.line(event);
        lock.lock();
        try {
            if (closed) {
                return;
            }
            writer.write(line);
            writer.write('\n');
            writer.flush();
            events.add(event);
        } catch (IOException e) {
            throw new UncheckedIOException("the journal cannot be written, and the run says nothing without it", e);
        } finally {
            lock.unlock();
        }
    }

    /** What was appended so far. */
    public List<Event> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            writer.close();
        } finally {
            lock.unlock();
        }
    }
}
