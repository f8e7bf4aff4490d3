package dev.baton.duty.sequencer.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file of consecutive blocks, and where each of them lies in it. Guarded by the store. */
final class Segment implements Closeable {

    private static final Pattern NAME = Pattern.compile("blocks-(\\d{19})\\.seg");

    private final long first;
    private final RecordFile records;
    private long[] offsets = new long[64];
    private int count;

    private Segment(long first, RecordFile records) {
        this.first = first;
        this.records = records;
    }

    static String fileName(long first) {
        return "blocks-%019d.seg".formatted(first);
    }

    static boolean isSegment(Path file) {
        return NAME.matcher(file.getFileName().toString()).matches();
    }

    static long firstHeightOf(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(file + " (expected: a name like " + fileName(1) + ")");
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Sees each block of a file that is being opened. */
    @FunctionalInterface
    interface Visitor {
        void block(long height, boolean signed);
    }

    static Segment open(
            StorageFile.Opener opener, Path file, RecordHeader header, RecordFile.Tail tail, Visitor visitor)
            throws IOException {
        long first = firstHeightOf(file);
        Opening opening = new Opening(file, first, visitor);
        RecordFile records = RecordFile.open(opener, file, header, tail, opening);
        Segment segment = new Segment(first, records);
        segment.offsets = opening.offsets;
        segment.count = opening.count;
        return segment;
    }

    /** Collects the offsets while a file is scanned, and sees to it that no height is missing. */
    private static final class Opening implements RecordFile.Visitor {
        private final Path file;
        private final long first;
        private final Visitor visitor;
        private long[] offsets = new long[64];
        private int count;

        Opening(Path file, long first, Visitor visitor) {
            this.file = file;
            this.first = first;
            this.visitor = visitor;
        }

        @Override
        public void record(long offset, ByteBuffer body) throws IOException {
            if (body.remaining() <= Long.BYTES) {
                throw RecordFile.damaged(file, offset, "a record of " + body.remaining() + " bytes");
            }
            long height = StoredBlockCodec.heightOf(body);
            if (height != first + count) {
                throw RecordFile.damaged(
                        file, offset, "block " + height + " stands where " + (first + count) + " belongs");
            }
            offsets = withRoom(offsets, count);
            offsets[count++] = offset;
            visitor.block(height, StoredBlockCodec.isSigned(body));
        }
    }

    private static long[] withRoom(long[] offsets, int count) {
        return count < offsets.length ? offsets : Arrays.copyOf(offsets, offsets.length * 2);
    }

    void append(ByteBuffer body) throws IOException {
        long offset = records.append(body);
        offsets = withRoom(offsets, count);
        offsets[count++] = offset;
    }

    void sync() throws IOException {
        records.sync();
    }

    long first() {
        return first;
    }

    /** The height after the last block. */
    long nextHeight() {
        return first + count;
    }

    long offsetOf(long height) {
        return offsets[(int) (height - first)];
    }

    long size() {
        return records.end();
    }

    boolean isEmpty() {
        return count == 0;
    }

    RecordFile records() {
        return records;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
