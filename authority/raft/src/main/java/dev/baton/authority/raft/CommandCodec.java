package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/** The bytes of a command in the Raft log: format, kind, seat, and what the kind needs. */
final class CommandCodec {

    private static final int FORMAT = 1;

    private static final int PROMOTE = 1;
    private static final int APPEND = 2;
    private static final int END = 3;
    private static final int TRIM = 4;

    private CommandCodec() {}

    static Bytes encode(Command command) {
        return Fields.toBytes(out -> write(out, command));
    }

    private static void write(DataOutput out, Command command) throws IOException {
        Fields.writeFormat(out, FORMAT);
        switch (command) {
            case Command.Promote(SeatId seat, Claim claim, Candidate candidate) -> {
                begin(out, PROMOTE, seat);
                Fields.writeClaim(out, claim);
                Fields.writeCandidate(out, candidate);
            }
            case Command.Append(SeatId seat, Term term, Entry entry) -> {
                begin(out, APPEND, seat);
                Fields.writeTerm(out, term);
                Fields.writeBytes(out, EntryCodec.encode(entry));
            }
            case Command.End(SeatId seat, Term term, Ending how) -> {
                begin(out, END, seat);
                Fields.writeTerm(out, term);
                Fields.writeEnding(out, how);
            }
            case Command.Trim(SeatId seat, Term term, Height below) -> {
                begin(out, TRIM, seat);
                Fields.writeTerm(out, term);
                out.writeLong(below.value());
            }
        }
    }

    private static void begin(DataOutput out, int kind, SeatId seat) throws IOException {
        out.writeByte(kind);
        Fields.writeSeat(out, seat);
    }

    /** Reads what {@link #encode} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    static Command decode(Bytes bytes) {
        return Fields.fromBytes("command", bytes, CommandCodec::read);
    }

    private static Command read(DataInputStream in) throws IOException {
        Fields.checkFormat(in, "command", FORMAT);
        int kind = in.readUnsignedByte();
        SeatId seat = Fields.readSeat(in);
        return switch (kind) {
            case PROMOTE -> new Command.Promote(seat, Fields.readClaim(in), Fields.readCandidate(in));
            case APPEND -> {
                Term term = Fields.readTerm(in);
                Bytes entry = Fields.readBytes(in);
                yield new Command.Append(seat, term, EntryCodec.decode(seat, entry.asBuffer()));
            }
            case END -> new Command.End(seat, Fields.readTerm(in), Fields.readEnding(in));
            case TRIM -> new Command.Trim(seat, Fields.readTerm(in), new Height(in.readLong()));
            default -> throw new IllegalArgumentException("command: kind " + kind + " (expected: 1 to 4)");
        };
    }
}
