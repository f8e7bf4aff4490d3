package dev.baton.node;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.core.Height;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.watch.BlockFeed;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The blocks of this node's sequencer, as a mempool's watcher reads them. They are committed: none is ever undone. */
final class SequencerFeed implements BlockFeed {

    private final Chain chain;
    private final Growth growth = new Growth();

    SequencerFeed(Chain chain) {
        this.chain = chain;
        chain.onGrowth(growth::noted);
    }

    @Override
    public Next after(Point cursor, Duration patience) throws IOException, InterruptedException {
        Height next = new Height(cursor.number() + 1);
        long grown = growth.times();
        if (chain.height().isBelow(next)) {
            growth.await(grown, patience);
        }
        Optional<StoredBlock> found = chain.read(next);
        if (found.isEmpty()) {
            return new Next.Nothing();
        }
        Block block = found.get().block();
        if (!block.parent().equals(cursor.hash())) {
            return new Next.Lost("block " + block.height() + " follows " + block.parent() + " (expected: "
                    + cursor.hash() + ", where the pool is; is its prefix another cluster's?)");
        }
        List<Hash> carried = new ArrayList<>();
        for (Bytes transaction : block.body().transactions()) {
            carried.add(Hash.sha256(transaction));
        }
        return new Next.Found(new ChainBlock(new Point(next.value(), block.hash()), cursor, carried));
    }
}
