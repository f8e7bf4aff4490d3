package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.block.Block;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the latest transactions went, so that a repeated submission is recognised.
 *
 * <p>The window counts transactions, not time or blocks: memory stays bounded under load, and an idle cluster
 * remembers for as long as it likes. Thread-safe.
 */
final class CommittedTransactions {

    /** A transaction's place: in which block, and where in it. */
    record Place(Height height, int index, Hash block) {}

    private final int window;
    private final Map<Hash, Place> places = new LinkedHashMap<>();
    private long total;

    CommittedTransactions(int window) {
        this.window = window;
    }

    synchronized void add(Block block) {
        int index = 0;
        for (Bytes transaction : block.body().transactions()) {
            places.putIfAbsent(Hash.sha256(transaction), new Place(block.height(), index++, block.hash()));
            total++;
        }
        var oldest = places.entrySet().iterator();
        for (int excess = places.size() - window; excess > 0; excess--) {
            oldest.next();
            oldest.remove();
        }
    }

    synchronized Optional<Place> find(Hash transaction) {
        return Optional.ofNullable(places.get(transaction));
    }

    /** All transactions ever committed. */
    synchronized long total() {
        return total;
    }
}
