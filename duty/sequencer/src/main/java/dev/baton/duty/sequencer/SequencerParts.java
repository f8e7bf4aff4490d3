package dev.baton.duty.sequencer;

import dev.baton.duty.sequencer.availability.DataAvailability;
import dev.baton.duty.sequencer.signing.BlockSigner;
import dev.baton.duty.sequencer.signing.KeyRing;
import java.time.InstantSource;

/**
 * What a sequencer is put together from.
 *
 * @param keys the public keys of all nodes, this one's included
 * @param clock wall time, for the time in blocks
 */
public record SequencerParts(
        BlockSigner signer, KeyRing keys, BlockExecutor executor, DataAvailability availability, InstantSource clock) {}
