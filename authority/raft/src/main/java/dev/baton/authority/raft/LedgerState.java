package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What the Raft log comes to: all seats of the group, and the Raft term that it has reached.
 *
 * <p>A function of the log alone: the same entries in the same order give the same replies on every member, at the
 * first time and at each replay. Not thread-safe.
 */
final class LedgerState {

    private final BiConsumer<SeatId, SeatEvent> changes;
    private final Map<SeatId, SeatState> seats = new LinkedHashMap<>();
    private long raftTerm;

    LedgerState(BiConsumer<SeatId, SeatEvent> changes) {
        this.changes = changes;
    }

    LedgerState(LedgerImage image, BiConsumer<SeatId, SeatEvent> changes) {
        this(changes);
        raftTerm = image.raftTerm();
        for (SeatImage seat : image.seats()) {
            // The listener lives as long as the seat, and must not keep the image with its entries.
            SeatId id = seat.id();
            seats.put(id, new SeatState(seat, event -> changes.accept(id, event)));
        }
    }

    LedgerImage image() {
        return new LedgerImage(
                raftTerm, seats.values().stream().map(SeatState::image).toList());
    }

    /** The term of the newest log entry applied so far. */
    long raftTerm() {
        return raftTerm;
    }

    Optional<SeatState> seat(SeatId id) {
        return Optional.ofNullable(seats.get(id));
    }

    Collection<SeatState> seats() {
        return Collections.unmodifiableCollection(seats.values());
    }

    /** A log entry of this term has been applied; the holders of earlier terms are over. */
    void reach(long entryTerm) {
        if (entryTerm > raftTerm) {
            raftTerm = entryTerm;
            seats.values().forEach(seat -> seat.raftTermBegins(entryTerm));
        }
    }

    Reply apply(Command command, long entryTerm) {
        reach(entryTerm);
        return switch (command) {
            case Command.Promote(SeatId id, Claim claim, Candidate candidate) ->
                seatOrNew(id).promote(claim, candidate, entryTerm);
            case Command.Append(SeatId id, Term term, Entry entry) ->
                seat(id).map(seat -> seat.append(term, entry, entryTerm)).orElseGet(() -> fenced(entryTerm));
            case Command.End(SeatId id, Term term, Ending how) ->
                seat(id).map(seat -> seat.end(term, how)).orElseGet(Reply.Ended::new);
            case Command.Trim(SeatId id, Term term, Height below) ->
                seat(id).map(seat -> seat.trim(term, below, entryTerm)).orElseGet(() -> fenced(entryTerm));
        };
    }

    private SeatState seatOrNew(SeatId id) {
        return seats.computeIfAbsent(id, seat -> new SeatState(seat, event -> changes.accept(seat, event)));
    }

    private static Reply fenced(long entryTerm) {
        return new Reply.Fenced(new Epoch(entryTerm));
    }
}
