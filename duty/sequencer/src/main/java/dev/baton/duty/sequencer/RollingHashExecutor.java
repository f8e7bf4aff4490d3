package dev.baton.duty.sequencer;

import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.sequencer.block.Block;
import java.nio.ByteBuffer;

/** The simplest state there is: a hash over all transactions so far, which empty blocks leave alone. */
public final class RollingHashExecutor implements BlockExecutor {

    private Hash root = Hash.ZERO;

    @Override
    public Hash execute(Block block) {
        if (block.body().transactions().isEmpty()) {
            return root;
        }
        int size = Hash.SIZE;
        for (Bytes transaction : block.body().transactions()) {
            size += Integer.BYTES + transaction.size();
        }
        ByteBuffer content = ByteBuffer.allocate(size).put(root.asBuffer());
        for (Bytes transaction : block.body().transactions()) {
            content.putInt(transaction.size()).put(transaction.asBuffer());
        }
        root = Hash.sha256(content.flip());
        return root;
    }
}
