package dev.baton.duty.sequencer;

import dev.baton.core.Head;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.sequencer.signing.BlockVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes in a peer's blocks, in order, and believes them only as far as a verified signature reaches.
 *
 * <p>A peer may lack the signature of a block. Such a block waits until a signed one follows it: through the chain of
 * parents, one signature vouches for everything before it. One per stream; not thread-safe.
 */
public final class PeerIntake {

    private static final int MOST_WAITING = 10_000;
    private static final long MOST_WAITING_BYTES = 64L << 20;

    private final Chain chain;
    private final BlockVerifier verifier;
    private final int syncEvery;
    private final List<StoredBlock> waiting = new ArrayList<>();
    private long waitingBytes;

    public PeerIntake(Chain chain, BlockVerifier verifier, int syncEvery) {
        this.chain = chain;
        this.verifier = verifier;
        this.syncEvery = syncEvery;
    }

    /** Throws {@link BlockRefusedException} if the block is not believed; other exceptions are this node's trouble. */
    public void take(StoredBlock stored) throws Exception {
        Block block = stored.block();
        Optional<BlockSignature> signature = stored.signature();
        if (signature.isPresent()) {
            Optional<String> fault = verifier.fault(block, signature.get());
            if (fault.isPresent()) {
                throw new BlockRefusedException(fault.get());
            }
        }
        if (!waiting.isEmpty()) {
            Head before = waiting.getLast().block().asHead();
            if (!block.entry().follows(before)) {
                throw new BlockRefusedException(block + " does not follow " + before);
            }
        }
        waiting.add(stored);
        waitingBytes += block.entry().payload().size();
        if (signature.isPresent()) {
            List<StoredBlock> run = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
            chain.addFromPeer(run, syncEvery);
        } else if (waiting.size() > MOST_WAITING || waitingBytes > MOST_WAITING_BYTES) {
            throw new BlockRefusedException(
                    waiting.size() + " blocks before " + block + " and none of them signed: nothing vouches for them");
        }
    }

    /** How many blocks wait for a signature that vouches for them. */
    public int waiting() {
        return waiting.size();
    }
}
