package dev.baton.duty.sequencer.store;

import dev.baton.core.Height;
import dev.baton.duty.sequencer.block.BlockSignature;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The signatures that arrived later than their blocks. Guarded by the store. */
final class SignatureLog implements Closeable {

    static final String FILE_NAME = "signatures.log";

    private final RecordFile records;
    private final Map<Long, Long> offsetByHeight;

    private SignatureLog(RecordFile records, Map<Long, Long> offsetByHeight) {
        this.records = records;
        this.offsetByHeight = offsetByHeight;
    }

    static SignatureLog open(StorageFile.Opener opener, Path folder, RecordHeader header) throws IOException {
        Map<Long, Long> offsets = new HashMap<>();
        RecordFile records = RecordFile.open(
                opener,
                folder.resolve(FILE_NAME),
                header,
                RecordFile.Tail.MAY_BE_TORN,
                (offset, body) -> offsets.put(StoredBlockCodec.heightOf(body), offset));
        return new SignatureLog(records, offsets);
    }

    /** Not synced one by one: a signature that a crash takes away is asked for again. */
    void add(Height height, BlockSignature signature) throws IOException {
        offsetByHeight.put(height.value(), records.append(StoredBlockCodec.encode(height, signature)));
    }

    boolean has(Height height) {
        return offsetByHeight.containsKey(height.value());
    }

    Optional<BlockSignature> find(Height height) throws IOException {
        Long offset = offsetByHeight.get(height.value());
        return offset == null ? Optional.empty() : Optional.of(StoredBlockCodec.decodeSignature(records.read(offset)));
    }

    void sync() throws IOException {
        records.sync();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
