package dev.baton.duty.sequencer.signing;

import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;

/**
 * Signs committed blocks for this node: with a local key, or by asking a key service.
 *
 * <p>It is called only with blocks that are committed, so no signature ever exists on any other. Called from the duty
 * thread, may block as long as a pulse may take; an exception is a failure to work, and costs the seat like any other.
 */
public interface BlockSigner {

    /** The node under whose name others look up the public key. */
    NodeId node();

    /** Signs {@link SigningMessage#of} for the block. Safe to repeat. */
    BlockSignature sign(Block block) throws Exception;

    /** Checks that signing would work, without signing anything that could pass for a block. */
    void probe() throws Exception;
}
