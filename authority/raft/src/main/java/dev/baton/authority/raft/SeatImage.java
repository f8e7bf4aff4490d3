package dev.baton.authority.raft;

import dev.baton.core.Ending;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.List;
import java.util.Optional;

/** A seat frozen for a snapshot. The entries are shared with the living seat, not copied. */
record SeatImage(
        SeatId id,
        Optional<Seating> seating,
        Optional<Term> lastTerm,
        Ending lastEnded,
        Ending predecessorEnded,
        Head head,
        Height oldest,
        List<LedgerWindow.Stored> entries) {}
