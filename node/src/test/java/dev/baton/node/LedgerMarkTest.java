package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.SeatId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerMarkTest {

    private static final SeatId SEAT = SeatId.of("demo", "ids");

    /** A ledger whose entries were made in these epochs. */
    private static List<Entry> ledger(String content, long... epochs) {
        List<Entry> entries = new ArrayList<>();
        Head head = Head.GENESIS;
        for (long epoch : epochs) {
            Entry entry = Entry.after(head, SEAT, new Epoch(epoch), List.of(), Bytes.utf8(content));
            entries.add(entry);
            head = entry.asHead();
        }
        return entries;
    }

    private static LedgerMark at(Entry entry) {
        return LedgerMark.none(SEAT).movedTo(entry);
    }

    @Test
    void everyEntryOfTheSameLedgerFitsFromWhereverItIsLookedAt() {
        List<Entry> ledger = ledger("ours", 3, 3, 5, 5, 9);
        for (Entry marked : ledger) {
            assertThat(ledger).allMatch(at(marked)::fits);
        }
    }

    @Test
    void beforeAnythingWasFollowedEverythingFits() {
        assertThat(ledger("ours", 3, 3, 5)).allMatch(LedgerMark.none(SEAT)::fits);
    }

    @Test
    void anotherLedgerShowsAtTheMarkAndRightAfterIt() {
        LedgerMark mark = at(ledger("ours", 3, 3, 5).getLast());
        List<Entry> other = ledger("theirs", 3, 3, 5, 5);

        assertThat(mark.fits(other.get(2))).isFalse();
        assertThat(mark.fits(other.get(3))).isFalse();
    }

    @Test
    void furtherAwayOnlyAnEpochThatGoesBackTells() {
        LedgerMark mark = at(ledger("ours", 3, 3, 5).getLast());

        assertThat(mark.fits(ledger("theirs", 6).getFirst()))
                .isFalse(); // a later term, before what an earlier one wrote
        assertThat(mark.fits(ledger("theirs", 2, 2, 2, 2, 2).getLast()))
                .isFalse(); // an earlier one, behind a later one
        assertThat(mark.fits(ledger("theirs", 3).getFirst())).isTrue();
    }
}
