package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the block stores of stopped nodes have of a seat. A store has every entry whole, and only committed ones, so its
 * last block is a good place to go on from; its hash is computed anew, and its parent compared.
 */
final class KeptBlocks implements Closeable {

    private record Kept(Path folder, BlockStore store) {}

    private final List<Kept> stores = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private @Nullable Kept longest;
    private @Nullable String disagreement;

    private KeptBlocks() {}

    static KeptBlocks open(SeatId seat, List<Path> folders) throws IOException {
        KeptBlocks kept = new KeptBlocks();
        try {
            for (Path folder : folders) {
                kept.add(seat, folder);
            }
            kept.compare();
            return kept;
        } catch (IOException | RuntimeException e) {
            kept.close();
            throw e;
        }
    }

    /** Where a node with this data folder keeps the seat's blocks. */
    static Path folder(Path data, SeatId seat) {
        return data.resolve("blocks").resolve(seat.seat().value());
    }

    private void add(SeatId seat, Path folder) throws IOException {
        Path blocks = folder(folder, seat);
        if (!Files.isDirectory(blocks)) {
            found.add("store " + folder + ": no blocks of " + seat.seat());
            return;
        }
        Kept kept = new Kept(folder, BlockStore.open(blocks, seat));
        stores.add(kept);
        found.add("store " + folder + ": " + last(kept).map(Entry::toString).orElse("empty"));
        if (longest == null || kept.store().height().isAbove(longest.store().height())) {
            longest = kept;
        }
    }

    private static Optional<Entry> at(Kept kept, Height height) throws IOException {
        return kept.store().read(height).map(StoredBlock::block).map(block -> block.entry());
    }

    private static Optional<Entry> last(Kept kept) throws IOException {
        return at(kept, kept.store().height());
    }

    private void compare() throws IOException {
        Kept best = longest;
        if (best == null) {
            return;
        }
        Optional<Entry> head = last(best);
        Optional<Entry> before = head.isEmpty() || head.get().height().equals(Height.FIRST)
                ? Optional.empty()
                : at(best, new Height(head.get().height().value() - 1));
        if (before.isPresent() && !head.orElseThrow().follows(before.get().asHead())) {
            disagreement = "store " + best.folder() + ": " + head.get() + " does not follow " + before.get();
        }
        for (Kept other : stores) {
            Optional<Entry> theirs = last(other);
            if (theirs.isPresent() && !theirs.equals(at(best, theirs.get().height()))) {
                disagreement = "store " + other.folder() + ": " + theirs.get() + " is another block than that of "
                        + best.folder();
            }
        }
    }

    List<String> found() {
        return List.copyOf(found);
    }

    /** The highest block of all stores. */
    Optional<Entry> last() throws IOException {
        return longest == null ? Optional.empty() : last(longest);
    }

    Optional<String> disagreement() {
        return Optional.ofNullable(disagreement);
    }

    @Override
    public void close() throws IOException {
        for (Kept kept : stores) {
            kept.store().close();
        }
    }
}
