package dev.baton.duty.sequencer.block;

/** A block and a signature on it; the signature exists only because the block is committed. */
public record SignedBlock(Block block, BlockSignature signature) {}
