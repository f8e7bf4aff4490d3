package dev.baton.duty.sequencer.block;

import dev.baton.core.Bytes;
import dev.baton.core.NodeId;

/** A node's signature on a committed block. */
public record BlockSignature(NodeId signer, Bytes bytes) {}
