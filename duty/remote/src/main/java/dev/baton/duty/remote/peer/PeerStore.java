package dev.baton.duty.remote.peer;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.duty.remote.BlockRef;
import dev.baton.wire.remote.v1.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Blocks and what must not be forgotten, in a file of H2's MVStore; on disk when a method returns. Thread-safe.
 *
 * <p>The chain has no gaps: blocks are added at its end, and removed from its end.
 */
final class PeerStore implements AutoCloseable {

    private static final String FENCE = "fence";

    private final MVStore store;
    private final MVMap<Long, byte[]> blocks;
    private final MVMap<String, String> facts;
    private @Nullable PeerBlock head;

    private PeerStore(MVStore store) {
        this.store = store;
        this.blocks = store.openMap("blocks");
        this.facts = store.openMap("facts");
        Long last = blocks.lastKey();
        this.head = last == null ? null : block(last).orElseThrow();
    }

    static PeerStore open(Path folder) throws IOException {
        Files.createDirectories(folder);
        try {
            return new PeerStore(new MVStore.Builder()
                    .fileName(folder.resolve("blocks.mv").toString())
                    .autoCommitDisabled() // it could write half a step
                    .open());
        } catch (MVStoreException e) {
            throw new IOException(
                    folder + ": " + e.getMessage() + " (expected: a folder that no other sequencer uses)", e);
        }
    }

    synchronized BlockRef head() {
        return head == null ? BlockRef.NONE : head.ref();
    }

    /** The epoch of the last block; 0 without one. */
    synchronized long headEpoch() {
        return head == null ? 0 : head.epoch();
    }

    synchronized Optional<PeerBlock> block(long number) {
        byte[] bytes = blocks.get(number);
        try {
            return bytes == null ? Optional.empty() : Optional.of(PeerBlock.of(Block.parseFrom(bytes)));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("block " + number + " cannot be read back", e);
        }
    }

    /** What this chain has there: a block, or what is before the first one. */
    synchronized Optional<BlockRef> at(long number) {
        return number == 0 ? Optional.of(BlockRef.NONE) : block(number).map(PeerBlock::ref);
    }

    synchronized List<PeerBlock> range(long from, int limit) {
        List<PeerBlock> found = new ArrayList<>();
        for (long number = Math.max(1, from); found.size() < limit; number++) {
            Optional<PeerBlock> block = block(number);
            if (block.isEmpty()) {
                break;
            }
            found.add(block.get());
        }
        return found;
    }

    synchronized void append(List<PeerBlock> next) {
        for (PeerBlock block : next) {
            if (!block.follows(head())) {
                throw new IllegalArgumentException(
                        block + " (expected: one that follows " + head() + "; nothing of it was kept)");
            }
            blocks.put(block.number(), block.toWire().toByteArray());
            head = block;
        }
        commit();
    }

    /** Drops the blocks above this number. */
    synchronized void truncate(long number) {
        for (Long last = blocks.lastKey(); last != null && last > number; last = blocks.lastKey()) {
            blocks.remove(last);
        }
        head = block(number).orElse(null);
        commit();
    }

    synchronized Optional<String> fence() {
        return Optional.ofNullable(facts.get(FENCE));
    }

    synchronized void fence(String text) {
        facts.put(FENCE, text);
        commit();
    }

    private void commit() {
        store.commit();
        store.sync();
    }

    @Override
    public synchronized void close() {
        store.close();
    }
}
