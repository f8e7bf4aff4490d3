package dev.baton.duty.remote;

import dev.baton.core.Epoch;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.util.Optional;

/**
 * What a sequencer is told about the term under which it is to work, or to stop.
 *
 * @param recorded the last head in the ledger, which the sequencer's chain must contain
 * @param until when the sequencer must have stopped by itself, on its own clock; empty if it cannot do that
 */
public record Lease(SeatId seat, Epoch epoch, NodeId holder, BlockRef recorded, Optional<PeerTime> until) {}
