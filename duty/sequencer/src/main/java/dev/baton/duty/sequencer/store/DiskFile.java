package dev.baton.duty.sequencer.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A file on a real disk.
 *
 * <p>Not a {@code FileChannel}: a channel is closed for good when its thread is interrupted in the middle of a write.
 * Reading has a handle of its own, so that readers do not wait for a sync.
 */
public final class DiskFile implements StorageFile {

    private final RandomAccessFile writer;
    private final RandomAccessFile reader;

    private DiskFile(RandomAccessFile writer, RandomAccessFile reader) {
        this.writer = writer;
        this.reader = reader;
    }

    public static DiskFile open(Path path) throws IOException {
        RandomAccessFile writer = new RandomAccessFile(path.toFile(), "rw");
        try {
            return new DiskFile(writer, new RandomAccessFile(path.toFile(), "r"));
        } catch (IOException e) {
            writer.close();
            throw e;
        }
    }

    @Override
    public long size() throws IOException {
        synchronized (reader) {
            return reader.length();
        }
    }

    @Override
    public void write(long position, byte[] bytes) throws IOException {
        synchronized (writer) {
            writer.seek(position);
            writer.write(bytes);
        }
    }

    @Override
    public byte[] read(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        synchronized (reader) {
            reader.seek(position);
            reader.readFully(bytes);
        }
        return bytes;
    }

    @Override
    public void truncate(long size) throws IOException {
        synchronized (writer) {
            writer.setLength(size);
        }
    }

    @Override
    public void sync() throws IOException {
        synchronized (writer) {
            writer.getFD().sync();
        }
    }

    @Override
    public void close() throws IOException {
        try (writer;
                reader) {
            // Both are closed, even if closing the first one fails.
        }
    }
}
