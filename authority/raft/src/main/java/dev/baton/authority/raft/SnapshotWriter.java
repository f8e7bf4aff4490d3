package dev.baton.authority.raft;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots beside what is being applied, one at a time.
 *
 * <p>The engine has them written by the thread that applies, and nothing is committed meanwhile: a ledger of ten thousand
 * entries held every caller up for a tenth of a second. Used by that thread alone.
 */
final class SnapshotWriter {

    /** A snapshot that is on the disk. */
    record Written(TermIndex last, FileInfo file) {}

    private final Executor beside;
    private final Runnable ended;
    private @Nullable CompletableFuture<Written> underWay;

    /**
     * @param beside runs the writing
     * @param ended is called, there, when {@link #take} does not have to wait any more
     */
    SnapshotWriter(Executor beside, Runnable ended) {
        this.beside = beside;
        this.ended = ended;
    }

    /** Whether one was begun that has not been taken yet. */
    boolean isBusy() {
        return underWay != null;
    }

    void begin(TermIndex last, File file, LedgerImage image) {
        CompletableFuture<Written> writing = CompletableFuture.supplyAsync(() -> write(last, file, image), beside);
        underWay = writing;
        var unused = writing.whenComplete((written, failure) -> ended.run());
    }

    private static Written write(TermIndex last, File file, LedgerImage image) {
        try {
            SnapshotFile.write(file, out -> SnapshotCodec.write(image, out));
            return new Written(last, new FileInfo(file.toPath(), MD5FileUtil.computeAndSaveMd5ForFile(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the one that was begun, if any, and forgets it. */
    void drop() {
        CompletableFuture<Written> writing = underWay;
        underWay = null;
        if (writing != null) {
            var unused = writing.handle((written, failure) -> written).join();
        }
    }

    /** The one that was begun, as soon as it is written; empty if none was. */
    Optional<Written> take() throws IOException {
        CompletableFuture<Written> writing = underWay;
        underWay = null;
        if (writing == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(writing.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a snapshot was written");
        } catch (ExecutionException e) {
            throw new IOException("the snapshot could not be written: " + e.getCause(), e.getCause());
        }
    }
}
