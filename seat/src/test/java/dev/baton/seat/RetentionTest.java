package dev.baton.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** INV-10: nothing that is needed to rebuild a duty is ever trimmed. */
class RetentionTest {

    private static final SeatId SEAT = SeatId.of("test", "seat");

    private Head head = Head.GENESIS;

    private Entry next(int bytes, Fact... facts) {
        Entry entry = Entry.after(head, SEAT, new Epoch(1), List.of(facts), Bytes.wrap(new byte[bytes]));
        head = entry.asHead();
        return entry;
    }

    private void fill(Retention retention, int entries, int bytes) {
        for (int i = 0; i < entries; i++) {
            retention.saw(next(bytes));
        }
    }

    private static Fact part(long covers, int part, int parts) {
        return new Fact.Checkpoint(new Height(covers), part, parts, Bytes.EMPTY);
    }

    @Test
    void nothingIsTrimmedWithoutACheckpoint() {
        Retention retention = new Retention(new LedgerLimits(10, 1_000_000));
        fill(retention, 1000, 1);
        assertThat(retention.due()).isEmpty();
    }

    @Test
    void trimsDownToTheLimitOnceACheckpointCoversIt() {
        Retention retention = new Retention(new LedgerLimits(10, 1_000_000));
        fill(retention, 99, 1);
        retention.saw(next(1, part(99, 1, 1))); // height 100
        fill(retention, 50, 1); // up to height 150
        assertThat(retention.due()).contains(new Height(100));
        retention.trimmed(new Height(100));
        assertThat(retention.due()).isEmpty();
    }

    @Test
    void keepsTheLimitEvenIfACheckpointIsNewer() {
        Retention retention = new Retention(new LedgerLimits(10, 1_000_000));
        fill(retention, 99, 1);
        retention.saw(next(1, part(99, 1, 1))); // height 100
        assertThat(retention.due()).contains(new Height(91));
    }

    @Test
    void anUnfinishedCheckpointCoversNothing() {
        Retention retention = new Retention(new LedgerLimits(10, 1_000_000));
        fill(retention, 50, 1);
        retention.saw(next(1, part(50, 1, 1))); // complete, at height 51
        fill(retention, 49, 1);
        retention.saw(next(1, part(100, 1, 3))); // height 101, the first of three parts
        retention.saw(next(1, part(100, 2, 3)));
        fill(retention, 100, 1);
        assertThat(retention.due()).contains(new Height(51));
        retention.saw(next(1, part(100, 3, 3)));
        assertThat(retention.due()).contains(new Height(101));
    }

    @Test
    void bytesCountAsWellAsEntries() {
        Retention retention = new Retention(new LedgerLimits(1000, 100));
        fill(retention, 199, 10);
        retention.saw(next(10, part(199, 1, 1))); // height 200
        fill(retention, 100, 10);
        assertThat(retention.due()).contains(new Height(200));
    }

    /** Otherwise a cluster that is restarted often would never trim anything. */
    @Test
    void whatWasThereBeforeARestartCountsToo() {
        fill(new Retention(new LedgerLimits(1000, 1_000_000)), 999, 1);

        Retention restarted = new Retention(new LedgerLimits(1000, 1_000_000));
        restarted.saw(next(1, part(999, 1, 1))); // height 1000
        fill(restarted, 200, 1); // up to height 1200
        assertThat(restarted.due()).contains(new Height(201));
    }

    @Test
    void bytesThatWereNotSeenDoNotCountAgainstThoseThatWere() {
        fill(new Retention(new LedgerLimits(1000, 100)), 200, 10);

        Retention restarted = new Retention(new LedgerLimits(1000, 100));
        restarted.saw(next(10, part(200, 1, 1))); // height 201
        fill(restarted, 5, 10);
        assertThat(restarted.due()).isEmpty();
        fill(restarted, 100, 10); // up to height 306
        assertThat(restarted.due()).contains(new Height(201));
    }
}
