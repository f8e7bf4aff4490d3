package dev.baton.cli.tokens;

import dev.baton.cli.tokens.verify.HandedRange;
import dev.baton.cli.tokens.verify.RangeLog;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Writes the log of a run. Thread-safe. What was written is in the file within a moment, even if this process dies. */
final class RangeWriter implements AutoCloseable {

    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final BufferedWriter out;
    private long flushedNanos = System.nanoTime();

    RangeWriter(Path file) throws IOException {
        this.out = Files.newBufferedWriter(
                file,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    synchronized void write(HandedRange range) throws IOException {
        out.write(RangeLog.line(range));
        out.write('\n');
        long nowNanos = System.nanoTime();
        if (nowNanos - flushedNanos > FLUSH_NANOS) {
            out.flush();
            flushedNanos = nowNanos;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
