package dev.baton.duty.sequencer.store;

import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All blocks from height 1 on, durable, in append-only files.
 *
 * <p>A block that was appended and synced is never changed. Only signatures are added later, to a file of their own.
 * What a crash tore off at the end is cut off when the store is opened; anything else that cannot be read makes
 * opening fail, because a node must not quietly know less than it once promised to keep.
 *
 * <p>One thread at a time may write ({@link #append}, {@link #sync}, {@link #addSignature}); reading is safe from any
 * thread, and does not wait for a sync.
 */
public final class BlockStore implements Closeable {

    /** A file is closed and the next one begun when it is larger than this. */
    public static final long DEFAULT_SEGMENT_BYTES = 64L << 20;

    private static final String SEGMENT_MAGIC = "BATONBLK";
    private static final String SIGNATURES_MAGIC = "BATONSIG";

    private final Path folder;
    private final SeatId seat;
    private final long segmentBytes;
    private final StorageFile.Opener opener;
    private final FolderLock lock;
    private final SignatureLog signatures;

    /** Guards the fields below and the signatures, never held while the disk syncs. */
    private final Object index = new Object();

    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
    private final BitSet unsigned = new BitSet();
    private long height;

    private BlockStore(
            Path folder,
            SeatId seat,
            long segmentBytes,
            StorageFile.Opener opener,
            FolderLock lock,
            SignatureLog signatures) {
        this.folder = folder;
        this.seat = seat;
        this.segmentBytes = segmentBytes;
        this.opener = opener;
        this.lock = lock;
        this.signatures = signatures;
    }

    public static BlockStore open(Path folder, SeatId seat) throws IOException {
        return open(folder, seat, DEFAULT_SEGMENT_BYTES, DiskFile::open);
    }

    /** Whether there are blocks in the folder, as far as that can be seen without opening it. */
    public static boolean hasBlocks(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Segment::isSegment).toList()) {
                if (Files.size(file) > RecordHeader.SIZE) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reads everything once; throws {@link StoreUnusableException} if the folder cannot be used as it is. */
    public static BlockStore open(Path folder, SeatId seat, long segmentBytes, StorageFile.Opener opener)
            throws IOException {
        Files.createDirectories(folder);
        FolderLock lock = FolderLock.take(folder);
        BlockStore store;
        try {
            SignatureLog signatures = SignatureLog.open(opener, folder, new RecordHeader(SIGNATURES_MAGIC, seat));
            store = new BlockStore(folder, seat, segmentBytes, opener, lock, signatures);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
        try {
            store.openSegments();
            return store;
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private void openSegments() throws IOException {
        List<Path> files;
        try (Stream<Path> listing = Files.list(folder)) {
            files = listing.filter(Segment::isSegment).sorted().toList();
        }
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (Segment.firstHeightOf(file) != height + 1) {
                throw new StoreUnusableException(file + ": the blocks before it end at " + height
                        + ": a file is missing; bring it back, or move the folder aside and restart: the node refills"
                        + " it from its peers and the ledger");
            }
            boolean last = i == files.size() - 1;
            Segment segment = Segment.open(
                    opener,
                    file,
                    new RecordHeader(SEGMENT_MAGIC, seat),
                    last ? RecordFile.Tail.MAY_BE_TORN : RecordFile.Tail.COMPLETE,
                    (at, signed) -> unsigned.set(Math.toIntExact(at), !signed && !signatures.has(new Height(at))));
            segments.put(segment.first(), segment);
            height = segment.nextHeight() - 1;
        }
    }

    /** The height of the last block, zero if there is none. */
    public Height height() {
        synchronized (index) {
            return new Height(height);
        }
    }

    /**
     * Adds the next block; it is durable after {@link #sync}. If this throws, the store is as before, and the same
     * block can be tried again.
     */
    public void append(StoredBlock block) throws IOException {
        long at = block.block().height().value();
        Segment segment = segmentFor(at);
        synchronized (index) {
            segment.append(StoredBlockCodec.encode(block));
            height = at;
            unsigned.set(
                    Math.toIntExact(at),
                    block.signatureOrNull() == null
                            && !signatures.has(block.block().height()));
        }
    }

    private Segment segmentFor(long at) throws IOException {
        if (at != height().value() + 1) {
            throw new IllegalStateException(
                    folder + ": block " + at + " (expected: " + height().next() + ", the next one)");
        }
        Segment last = segments.isEmpty() ? null : segments.lastEntry().getValue();
        if (last != null && (last.size() < segmentBytes || last.isEmpty())) {
            return last;
        }
        if (last != null) {
            // What lies in a file that is not the last is never torn, because it was synced before this.
            last.sync();
            signatures.sync();
        }
        Segment next = newSegment(at);
        synchronized (index) {
            segments.put(at, next);
        }
        return next;
    }

    private Segment newSegment(long first) throws IOException {
        Path file = folder.resolve(Segment.fileName(first));
        try {
            Segment segment = Segment.open(
                    opener,
                    file,
                    new RecordHeader(SEGMENT_MAGIC, seat),
                    RecordFile.Tail.MAY_BE_TORN,
                    (height, signed) -> {});
            try {
                syncFolder();
            } catch (IOException e) {
                segment.close();
                throw e;
            }
            return segment;
        } catch (IOException e) {
            // No block is in it yet; the next attempt begins with a new file.
            Files.deleteIfExists(file);
            throw new IOException(file + ": cannot be created: " + e.getMessage() + " (is the disk full?)", e);
        }
    }

    private void syncFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** On return every block appended before is durable. If this throws, the store takes nothing more. */
    public void sync() throws IOException {
        if (!segments.isEmpty()) {
            segments.lastEntry().getValue().sync();
        }
    }

    /** Keeps a signature that arrived later than its block; one that is known already is ignored. */
    public void addSignature(Height at, BlockSignature signature) throws IOException {
        synchronized (index) {
            if (unsigned.get(Math.toIntExact(at.value()))) {
                signatures.add(at, signature);
                unsigned.clear(Math.toIntExact(at.value()));
            }
        }
    }

    /** The first block at or above {@code from} whose signature is not known here. */
    public Optional<Height> firstUnsigned(Height from) {
        synchronized (index) {
            int found = unsigned.nextSetBit(Math.toIntExact(from.value()));
            return found < 0 ? Optional.empty() : Optional.of(new Height(found));
        }
    }

    public int unsignedCount() {
        synchronized (index) {
            return unsigned.cardinality();
        }
    }

    public Optional<StoredBlock> read(Height at) throws IOException {
        RecordFile records;
        long offset;
        Optional<BlockSignature> late;
        synchronized (index) {
            if (at.equals(Height.ZERO) || at.value() > height) {
                return Optional.empty();
            }
            Segment segment = segments.floorEntry(at.value()).getValue();
            records = segment.records();
            offset = segment.offsetOf(at.value());
            late = signatures.find(at);
        }
        StoredBlock stored = StoredBlockCodec.decode(seat, records.read(offset));
        return Optional.of(
                stored.signatureOrNull() == null && late.isPresent()
                        ? new StoredBlock(stored.block(), late.get())
                        : stored);
    }

    /** Blocks in order, beginning at {@code from}: at most {@code blocks}, and no more after {@code bytes}. */
    public List<StoredBlock> range(Height from, int blocks, long bytes) throws IOException {
        List<StoredBlock> found = new ArrayList<>();
        long size = 0;
        Height at = from;
        while (found.size() < blocks && size < bytes) {
            Optional<StoredBlock> next = read(at);
            if (next.isEmpty()) {
                break;
            }
            found.add(next.get());
            size += next.get().block().entry().payload().size();
            at = at.next();
        }
        return found;
    }

    /** Checks, by writing and syncing a scratch file, that the disk takes writes. */
    public void probe() throws IOException {
        Path scratch = folder.resolve("probe");
        try (StorageFile file = opener.open(scratch)) {
            file.write(0, new byte[4096]);
            file.sync();
        }
    }

    @Override
    public void close() throws IOException {
        try (lock;
                signatures) {
            for (Segment segment : segments.values()) {
                segment.close();
            }
        }
    }
}
