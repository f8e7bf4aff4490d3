package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * How far a node had followed a seat's ledger. What stands there was committed (INV-3), so an engine that knows less of the
 * same era, or something else, is not the one that was followed.
 *
 * @param epoch of the term that made the entry at the head
 */
record LedgerMark(SeatId seat, Head head, Epoch epoch) {

    static LedgerMark none(SeatId seat) {
        return new LedgerMark(seat, Head.GENESIS, Epoch.NONE);
    }

    LedgerMark movedTo(Entry entry) {
        return new LedgerMark(seat, entry.asHead(), entry.author());
    }

    Height height() {
        return head.height();
    }

    /**
     * Whether an entry may be one of the ledger that was followed. Those beside the mark tell by hash. Of the others only
     * the epoch tells: along a ledger it never goes back (INV-1).
     */
    boolean fits(Entry entry) {
        if (head.isGenesis()) {
            return true;
        }
        if (entry.height().equals(height())) {
            return entry.hash().equals(head.hash());
        }
        if (entry.height().equals(height().next()) && !entry.parent().equals(head.hash())) {
            return false;
        }
        return entry.height().isBelow(height()) ? !entry.author().isAbove(epoch) : !epoch.isAbove(entry.author());
    }

    /** What a file that says this is checked by. */
    Hash sum() {
        String words = String.join(
                " ", seat.toString(), height().toString(), head.hash().toString(), epoch.toString());
        return Hash.sha256(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return head + " of epoch " + epoch;
    }
}
