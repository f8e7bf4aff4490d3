package dev.baton.duty.sequencer.block;

import dev.baton.core.Bytes;
import java.util.List;

/**
 * What a block carries beside its place in the chain.
 *
 * @param timeMillis the holder's wall clock when the block was made, but always later than the parent's
 * @param l1Origin the position of the data-availability layer that the holder knew then
 */
public record BlockBody(long timeMillis, String l1Origin, List<Bytes> transactions) {

    public BlockBody {
        transactions = List.copyOf(transactions);
    }
}
