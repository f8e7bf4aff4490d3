package dev.baton.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.SeatId;
import dev.baton.wire.remote.v1.HeadRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteKindTest {

    private static final Hash HASH = Hash.sha256(Bytes.utf8("block 7"));

    private static Entry entry(Bytes payload) {
        return Entry.after(Head.GENESIS, SeatId.of("chaos", "blocks"), new Epoch(3), List.of(), payload);
    }

    private static Bytes head(long number, Hash hash) {
        return Bytes.wrap(HeadRecord.newBuilder()
                .setNumber(number)
                .setHash(ByteString.copyFrom(hash.asBuffer()))
                .build()
                .toByteArray());
    }

    /** What is at height 1 of the ledger is the head of a sequencer that was at block 7. */
    @Test
    void anEntryIsHeldAgainstTheBlockThatItRecords() {
        assertThat(new RemoteKind().held(entry(head(7, HASH)))).hasValueSatisfying(held -> {
            assertThat(held.height()).isEqualTo(7);
            assertThat(held.hash()).isEqualTo(HASH.toString());
        });
    }

    @Test
    void beforeTheFirstBlockThereIsNothingToHoldAgainst() {
        assertThat(new RemoteKind().held(entry(head(0, Hash.ZERO)))).isEmpty();
    }

    @Test
    void whatIsNoHeadIsNotTakenForOne() {
        assertThatThrownBy(() -> new RemoteKind().held(entry(Bytes.utf8("no record"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a head of a sequencer");
    }
}
