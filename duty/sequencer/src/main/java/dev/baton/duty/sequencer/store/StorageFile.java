package dev.baton.duty.sequencer.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * One file as the store uses it; the seam at which tests let disks fail.
 *
 * <p>Reading is safe from any thread; writing happens on one thread at a time. No method reacts to interrupts: the
 * duty thread is interrupted when the seat is lost, and that must not cost us an open file.
 */
public interface StorageFile extends Closeable {

    long size() throws IOException;

    void write(long position, byte[] bytes) throws IOException;

    /** Reads exactly {@code length} bytes. */
    byte[] read(long position, int length) throws IOException;

    void truncate(long size) throws IOException;

    /** On return everything written is durable. */
    void sync() throws IOException;

    /** How files are opened. */
    @FunctionalInterface
    interface Opener {

        /** Opens the file for reading and writing; it is created if it does not exist. */
        StorageFile open(Path path) throws IOException;
    }
}
