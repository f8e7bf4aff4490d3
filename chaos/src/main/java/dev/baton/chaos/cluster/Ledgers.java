package dev.baton.chaos.cluster;

import dev.baton.chaos.history.Held;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Fact;
import dev.baton.core.SeatId;
import java.nio.ByteBuffer;
import java.util.List;

/** Entries as engines keep them, in the words of a journal. */
final class Ledgers {

    private Ledgers() {}

    static Entry entry(SeatId seat, byte[] encoded) {
        return EntryCodec.decode(seat, ByteBuffer.wrap(encoded));
    }

    static Held held(Entry entry) {
        String opener = "";
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Opened opened) {
                opener = opened.seating().term().node().value();
            }
        }
        // How many transactions are inside is the duty's business; the ledger tells one payload.
        return new Held(
                entry.height().value(),
                entry.hash().toString(),
                entry.parent().toString(),
                entry.author().value(),
                opener,
                1,
                List.of());
    }
}
