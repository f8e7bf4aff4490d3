package dev.baton.authority.raft;

import java.util.List;

/** All seats frozen for a snapshot, after the last applied entry of {@code raftTerm}. */
record LedgerImage(long raftTerm, List<SeatImage> seats) {}
