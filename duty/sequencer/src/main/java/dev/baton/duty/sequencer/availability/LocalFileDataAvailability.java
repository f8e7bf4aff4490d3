package dev.baton.duty.sequencer.availability;

import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.store.DiskFile;
import dev.baton.duty.sequencer.store.RecordFile;
import dev.baton.duty.sequencer.store.RecordHeader;
import dev.baton.duty.sequencer.store.StoredBlockCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file of published batches. The nodes of one machine may share it: whoever publishes locks it and first takes in
 * what others added.
 *
 * <p>A batch is: height of its first block, number of blocks, hash of its last block, and the blocks.
 */
public final class LocalFileDataAvailability implements DataAvailability {

    private static final String MAGIC = "BATONDAL";

    /** A file lock keeps processes apart, not threads: for those there is one turnstile per file. */
    private static final Map<Path, ReentrantLock> TURNSTILES = new ConcurrentHashMap<>();

    private final SeatId seat;
    private final Path file;
    private final ReentrantLock turnstile;
    private final RecordFile records;
    private Hash publishedHash = Hash.ZERO;

    /** These two are written in the turnstile, but read without: nobody must wait for whoever publishes. */
    private volatile long published;

    private final AtomicLong batches = new AtomicLong();

    private LocalFileDataAvailability(SeatId seat, Path file, ReentrantLock turnstile) throws IOException {
        this.seat = seat;
        this.file = file;
        this.turnstile = turnstile;
        turnstile.lock();
        try (FileChannel channel = lockChannel();
                FileLock lock = channel.lock()) {
            this.records = RecordFile.open(
                    DiskFile::open,
                    file,
                    new RecordHeader(MAGIC, seat),
                    RecordFile.Tail.MAY_BE_TORN,
                    (offset, body) -> count(body));
        } finally {
            turnstile.unlock();
        }
    }

    public static LocalFileDataAvailability open(Path file, SeatId seat) throws IOException {
        Path path = file.toAbsolutePath().normalize();
        Files.createDirectories(path.getParent());
        return new LocalFileDataAvailability(
                seat, path, TURNSTILES.computeIfAbsent(path, ignored -> new ReentrantLock()));
    }

    private FileChannel lockChannel() throws IOException {
        return FileChannel.open(
                file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private void count(ByteBuffer body) {
        ByteBuffer in = body.duplicate();
        long first = in.getLong();
        int blocks = in.getInt();
        byte[] hash = new byte[Hash.SIZE];
        in.get(hash);
        published = first + blocks - 1;
        publishedHash = Hash.of(hash);
        batches.incrementAndGet();
    }

    @Override
    public void publish(List<StoredBlock> blocks) throws IOException {
        turnstile.lock();
        try (FileChannel channel = lockChannel();
                FileLock lock = channel.lock()) {
            records.refresh((offset, body) -> count(body));
            records.cutOffTornTail();
            List<StoredBlock> fresh = blocks.stream()
                    .filter(stored -> stored.block().height().value() > published)
                    .toList();
            if (fresh.isEmpty()) {
                return;
            }
            Block first = fresh.getFirst().block();
            if (first.height().value() != published + 1 || !first.parent().equals(publishedHash)) {
                throw new IOException(
                        file + ": " + first + " with parent " + first.parent().toShortString()
                                + " does not follow the last published block " + published + "/"
                                + publishedHash.toShortString());
            }
            ByteBuffer batch = encode(fresh);
            records.append(batch);
            records.sync();
            count(batch);
        } finally {
            turnstile.unlock();
        }
    }

    private static ByteBuffer encode(List<StoredBlock> blocks) {
        List<ByteBuffer> encoded = blocks.stream().map(StoredBlockCodec::encode).toList();
        int size = Long.BYTES + Integer.BYTES + Hash.SIZE;
        for (ByteBuffer block : encoded) {
            size += Integer.BYTES + block.remaining();
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putLong(blocks.getFirst().block().height().value()).putInt(blocks.size());
        out.put(blocks.getLast().block().hash().asBuffer());
        for (ByteBuffer block : encoded) {
            out.putInt(block.remaining()).put(block);
        }
        return out.flip();
    }

    /** Whoever publishes may have to wait for another process, a frozen one even: then what was known last is told. */
    @Override
    public Height publishedHeight() {
        if (turnstile.tryLock()) {
            try {
                records.refresh((offset, body) -> count(body));
            } catch (IOException e) {
                throw new UncheckedIOException(file + ": " + e.getMessage(), e);
            } finally {
                turnstile.unlock();
            }
        }
        return new Height(published);
    }

    @Override
    public long height() {
        return batches.get();
    }

    @Override
    public String origin() {
        return "local:" + height();
    }

    @Override
    public void close() {
        try {
            records.close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "file " + file + " of " + seat;
    }
}
