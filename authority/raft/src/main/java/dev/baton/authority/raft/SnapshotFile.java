package dev.baton.authority.raft;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.ratis.util.AtomicFileOutputStream;

/** A snapshot's file: there as a whole, or not at all. */
final class SnapshotFile {

    private static final int BUFFER_BYTES = 1 << 16;

    /** What is to be in it. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private SnapshotFile() {}

    /**
     * Writes it aside and gives it its name when all of it is on the disk.
     *
     * <p>The stream takes being closed for being complete. So it is not left to a try-with-resources: on a full disk that
     * gave a torn file its name, and the member could not be started again.
     */
    static void write(File file, Content content) throws IOException {
        AtomicFileOutputStream whole = new AtomicFileOutputStream(file);
        try {
            OutputStream out = new BufferedOutputStream(whole, BUFFER_BYTES);
            content.writeTo(out);
            out.flush();
        } catch (IOException | RuntimeException e) {
            whole.abort();
            throw e;
        }
        whole.close();
    }
}
