package dev.baton.authority.raft;

import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/** The bytes of a snapshot: a mark, a format, all seats with their entries, and a checksum over everything. */
final class SnapshotCodec {

    private static final int MARK = 0x4241544e; // "BATN"
    private static final int FORMAT = 1;

    private SnapshotCodec() {}

    static void write(LedgerImage image, OutputStream stream) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(stream, new CRC32C());
        DataOutputStream out = new DataOutputStream(checked);
        out.writeInt(MARK);
        Fields.writeFormat(out, FORMAT);
        out.writeLong(image.raftTerm());
        out.writeInt(image.seats().size());
        for (SeatImage seat : image.seats()) {
            writeSeat(seat, out);
        }
        out.flush();
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
    }

    private static void writeSeat(SeatImage seat, DataOutput out) throws IOException {
        Fields.writeSeat(out, seat.id());
        out.writeBoolean(seat.seating().isPresent());
        if (seat.seating().isPresent()) {
            Fields.writeSeating(out, seat.seating().get());
        }
        out.writeBoolean(seat.lastTerm().isPresent());
        if (seat.lastTerm().isPresent()) {
            Fields.writeTerm(out, seat.lastTerm().get());
        }
        Fields.writeEnding(out, seat.lastEnded());
        Fields.writeEnding(out, seat.predecessorEnded());
        Fields.writeHead(out, seat.head());
        out.writeLong(seat.oldest().value());
        out.writeInt(seat.entries().size());
        for (LedgerWindow.Stored stored : seat.entries()) {
            Fields.writeHash(out, stored.hash());
            Fields.writeBytes(out, stored.encoded());
        }
    }

    /** Reads what {@link #write} wrote; anything else is an {@link IOException} that says what was wrong. */
    static LedgerImage read(InputStream stream) throws IOException {
        CheckedInputStream checked = new CheckedInputStream(stream, new CRC32C());
        DataInputStream in = new DataInputStream(checked);
        try {
            int mark = in.readInt();
            if (mark != MARK) {
                throw new IOException("snapshot: begins with %08x (expected: %08x)".formatted(mark, MARK));
            }
            Fields.checkFormat(in, "snapshot", FORMAT);
            long raftTerm = in.readLong();
            int count = in.readInt();
            List<SeatImage> seats = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                seats.add(readSeat(in));
            }
            long actual = checked.getChecksum().getValue();
            long expected = in.readLong();
            if (actual != expected) {
                throw new IOException("snapshot: checksum %x (expected: %x)".formatted(actual, expected));
            }
            return new LedgerImage(raftTerm, seats);
        } catch (IllegalArgumentException e) {
            throw new IOException("snapshot: unreadable: " + e.getMessage(), e);
        }
    }

    private static SeatImage readSeat(DataInput in) throws IOException {
        SeatId id = Fields.readSeat(in);
        Optional<Seating> seating = in.readBoolean() ? Optional.of(Fields.readSeating(in)) : Optional.empty();
        Optional<Term> lastTerm = in.readBoolean() ? Optional.of(Fields.readTerm(in)) : Optional.empty();
        Ending lastEnded = Fields.readEnding(in);
        Ending predecessorEnded = Fields.readEnding(in);
        Head head = Fields.readHead(in);
        Height oldest = new Height(in.readLong());
        int count = in.readInt();
        List<LedgerWindow.Stored> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Hash hash = Fields.readHash(in);
            Bytes encoded = Fields.readBytes(in);
            entries.add(new LedgerWindow.Stored(hash, encoded));
        }
        return new SeatImage(id, seating, lastTerm, lastEnded, predecessorEnded, head, oldest, entries);
    }
}
