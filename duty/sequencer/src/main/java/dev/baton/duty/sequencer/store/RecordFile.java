package dev.baton.duty.sequencer.store;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An append-only file of records that tells a torn tail from damage.
 *
 * <p>A record is: length of the body, checksum, how far the file was durable when the record was written, body. What a
 * crash may tear is only what was never synced. So if a record cannot be read, but a later one says that the file had
 * been durable beyond that place, then the disk lost something it had promised to keep, and the file is refused.
 * Otherwise the rest is the tail of a write that was never acknowledged, and is cut off.
 *
 * <p>Writers must exclude each other; reading is safe from any thread.
 */
public final class RecordFile implements Closeable {

    /** Takes the records in order when a file is opened. */
    @FunctionalInterface
    public interface Visitor {
        void record(long offset, ByteBuffer body) throws IOException;
    }

    /** What to do with a tail that cannot be read. */
    public enum Tail {
        /** It may be torn: cut it off. */
        MAY_BE_TORN,
        /** Later files exist, so this one was complete: refuse. */
        COMPLETE
    }

    private static final Logger log = LoggerFactory.getLogger(RecordFile.class);
    private static final int FRAME = Integer.BYTES + Integer.BYTES + Long.BYTES;
    private static final int LARGEST_BODY = 256 << 20;

    private final Path path;
    private final StorageFile file;
    private long end;
    private long durable;
    private @Nullable String broken;

    private RecordFile(Path path, StorageFile file) {
        this.path = path;
        this.file = file;
    }

    public static RecordFile open(StorageFile.Opener opener, Path path, RecordHeader header, Tail tail, Visitor visitor)
            throws IOException {
        RecordFile records = new RecordFile(path, opener.open(path));
        try {
            records.recover(header, tail, visitor);
            return records;
        } catch (IOException | RuntimeException e) {
            records.close();
            throw e;
        }
    }

    static StoreUnusableException damaged(Path path, long offset, String what) {
        return new StoreUnusableException(path + ": damaged at offset " + offset + ": " + what
                + "; move the folder aside and restart: the node refills it from its peers and the ledger");
    }

    private void recover(RecordHeader header, Tail tail, Visitor visitor) throws IOException {
        long size = file.size();
        if (size < RecordHeader.SIZE) {
            if (tail == Tail.COMPLETE) {
                throw damaged(path, size, "it ends within its header");
            }
            // The file was being created: nothing was ever stored in it.
            file.truncate(0);
            file.write(0, header.encode());
        } else {
            header.check(path, file.read(0, RecordHeader.SIZE));
        }
        end = scan(RecordHeader.SIZE, visitor);
        if (end < file.size()) {
            cutOff(tail);
        }
        file.sync();
        durable = end;
    }

    /** Visits the readable records from {@code from} on, and returns where they end. */
    private long scan(long from, Visitor visitor) throws IOException {
        long size = file.size();
        long offset = from;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 18))) {
            in.skipNBytes(Math.min(from, size));
            byte[] frame = new byte[FRAME];
            while (size - offset >= FRAME) {
                in.readFully(frame);
                ByteBuffer prefix = ByteBuffer.wrap(frame);
                int length = prefix.getInt();
                if (!plausible(length, size - offset - FRAME)) {
                    break;
                }
                byte[] body = in.readNBytes(length);
                if (prefix.getInt() != checksum(length, prefix.getLong(2 * Integer.BYTES), ByteBuffer.wrap(body))) {
                    break;
                }
                visitor.record(offset, ByteBuffer.wrap(body).asReadOnlyBuffer());
                offset += FRAME + length;
            }
        }
        return offset;
    }

    private void cutOff(Tail tail) throws IOException {
        long lost = file.size() - end;
        if (tail == Tail.COMPLETE) {
            throw damaged(path, end, "a record cannot be read, and later files follow");
        }
        if (lost > LARGEST_BODY) {
            throw damaged(path, end, lost + " bytes cannot be read, more than any torn write leaves");
        }
        if (durableBeyond(ByteBuffer.wrap(file.read(end, (int) lost)))) {
            throw damaged(path, end, "a record that had been durable cannot be read");
        }
        log.warn("{}: {} bytes at offset {} were never completely written; cut off", path, lost, end);
        file.truncate(end);
    }

    /** Whether any readable record in the tail knows that the file had been durable beyond the unreadable place. */
    private boolean durableBeyond(ByteBuffer tail) {
        for (int at = 1; tail.limit() - at >= FRAME; at++) {
            int length = tail.getInt(at);
            if (!plausible(length, tail.limit() - at - FRAME)) {
                continue;
            }
            long durableThen = tail.getLong(at + 2 * Integer.BYTES);
            if (durableThen > end
                    && tail.getInt(at + Integer.BYTES)
                            == checksum(length, durableThen, tail.slice(at + FRAME, length))) {
                return true;
            }
        }
        return false;
    }

    private static boolean plausible(int length, long room) {
        return length > 0 && length <= LARGEST_BODY && length <= room;
    }

    /** Takes in what another process appended meanwhile, up to the first record that is not complete. */
    public void refresh(Visitor visitor) throws IOException {
        if (file.size() > end) {
            end = scan(end, visitor);
        }
    }

    /** Cuts off what {@link #refresh} could not read. Only for whoever knows that nobody is writing. */
    public void cutOffTornTail() throws IOException {
        if (file.size() > end) {
            cutOff(Tail.MAY_BE_TORN);
        }
    }

    /**
     * Writes a record; it is durable after {@link #sync}. If that fails, the file is as before: nothing is
     * half-visible, and the record can be tried again.
     */
    public long append(ByteBuffer body) throws IOException {
        checkUsable();
        int length = body.remaining();
        ByteBuffer frame = ByteBuffer.allocate(FRAME + length);
        frame.putInt(length)
                .putInt(checksum(length, durable, body))
                .putLong(durable)
                .put(body.duplicate());
        try {
            file.write(end, frame.array());
        } catch (IOException e) {
            takeBack();
            throw new IOException(
                    path + ": cannot write " + frame.capacity() + " bytes at offset " + end + ": " + e.getMessage()
                            + "; nothing was stored, and the write is tried again (is the disk full?)",
                    e);
        }
        long offset = end;
        end += frame.capacity();
        return offset;
    }

    private void takeBack() {
        try {
            file.truncate(end);
        } catch (IOException e) {
            // The leftover lies behind the end and was never synced: the next write covers it, and so does recovery.
            log.warn("{}: cannot cut off a failed write at offset {}: {}", path, end, e.getMessage());
        }
    }

    /** After a failed sync nobody knows what the disk has; only reading it anew after a restart tells. */
    public void sync() throws IOException {
        checkUsable();
        if (durable == end) {
            return;
        }
        try {
            file.sync();
        } catch (IOException e) {
            broken = path + ": the disk did not confirm a write: " + e.getMessage()
                    + "; check the disk, then restart the node";
            throw new IOException(broken, e);
        }
        durable = end;
    }

    private void checkUsable() throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
    }

    public ByteBuffer read(long offset) throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(file.read(offset, FRAME));
        int length = frame.getInt();
        if (!plausible(length, LARGEST_BODY)) {
            throw damaged(path, offset, "a record of " + length + " bytes");
        }
        int expected = frame.getInt();
        ByteBuffer body = ByteBuffer.wrap(file.read(offset + FRAME, length));
        if (expected != checksum(length, frame.getLong(), body)) {
            throw damaged(path, offset, "a record's checksum does not match");
        }
        return body.asReadOnlyBuffer();
    }

    public long end() {
        return end;
    }

    private static int checksum(int length, long durable, ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(length)
                .putLong(durable)
                .flip());
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
