package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;

/** What a member writes to the Raft log. It takes effect, or is rejected, when it is applied. */
sealed interface Command {

    SeatId seat();

    record Promote(SeatId seat, Claim claim, Candidate candidate) implements Command {}

    record Append(SeatId seat, Term term, Entry entry) implements Command {}

    /** The term is over: its holder resigned, or it let its lease run out. */
    record End(SeatId seat, Term term, Ending how) implements Command {}

    record Trim(SeatId seat, Term term, Height below) implements Command {}
}
