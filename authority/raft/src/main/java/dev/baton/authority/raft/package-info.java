/**
 * The embedded authority: seats and ledgers kept by a Raft group inside the nodes, on Apache Ratis.
 *
 * <p>The holder is the Raft leader and the epoch is the Raft term. The pure part ({@code LedgerState}, {@code SeatState})
 * decides; everything else carries commands to it and answers back. Ratis types stop at this package's edge.
 */
@NullMarked
package dev.baton.authority.raft;

import org.jspecify.annotations.NullMarked;
