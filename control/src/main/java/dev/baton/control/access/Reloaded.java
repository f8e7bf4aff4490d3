package dev.baton.control.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says now: it is read again when it has changed. Thread-safe.
 *
 * <p>A file that was changed into something unreadable keeps its last good meaning, and an error is logged: half-written
 * files are common, and locking everybody out is no answer to one.
 */
public final class Reloaded<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);
    private static final long LOOK_NANOS = 200_000_000;

    /** Makes sense of a file. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(Path file) throws IOException;
    }

    private final Path file;
    private final Reading<T> reading;
    private final LongSupplier nanoClock;
    private byte[] content;
    private T meaning;
    private long lookedNanos;

    public Reloaded(Path file, Reading<T> reading) throws IOException {
        this(file, reading, System::nanoTime);
    }

    Reloaded(Path file, Reading<T> reading, LongSupplier nanoClock) throws IOException {
        this.file = file;
        this.reading = reading;
        this.nanoClock = nanoClock;
        this.content = Files.readAllBytes(file);
        this.meaning = reading.read(file);
        this.lookedNanos = nanoClock.getAsLong();
    }

    /** The present meaning, at most a fifth of a second old. */
    public synchronized T now() {
        long nowNanos = nanoClock.getAsLong();
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            lookedNanos = nowNanos;
            look();
        }
        return meaning;
    }

    private void look() {
        try {
            byte[] found = Files.readAllBytes(file);
            if (!Arrays.equals(found, content)) {
                content = found;
                meaning = reading.read(file);
                LOG.info("{} was read again, because it has changed", file);
            }
        } catch (IOException e) {
            LOG.error("{} has changed and cannot be used; what it said before still holds: {}", file, e.toString());
        }
    }
}
