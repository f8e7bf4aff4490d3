package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.ClusterId;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import dev.baton.core.Ticket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The byte forms that commands, requests between members and snapshots share; fixed, like everything stored. */
final class Fields {

    private static final int VACANCY = 1;
    private static final int EVIDENCE = 2;
    private static final int TICKET = 3;

    private Fields() {}

    interface Writer {
        void writeTo(DataOutput out) throws IOException;
    }

    interface Reader<T> {
        T readFrom(DataInputStream in) throws IOException;
    }

    static Bytes toBytes(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writer.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    /** Reads the whole of it; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    static <T> T fromBytes(String what, Bytes bytes, Reader<T> reader) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toArray()))) {
            T value = reader.readFrom(in);
            if (in.read() != -1) {
                throw new IllegalArgumentException(what + ": bytes left over after " + value);
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException(what + ": cut short after " + bytes.size() + " bytes", e);
        }
    }

    static void writeFormat(DataOutput out, int format) throws IOException {
        out.writeByte(format);
    }

    static void checkFormat(DataInput in, String what, int expected) throws IOException {
        int format = in.readUnsignedByte();
        if (format != expected) {
            throw new IllegalArgumentException(what + ": format " + format + " (expected: " + expected
                    + "; a newer version wrote it, so upgrade this node)");
        }
    }

    static void writeSeat(DataOutput out, SeatId seat) throws IOException {
        out.writeUTF(seat.cluster().value());
        out.writeUTF(seat.seat().value());
        out.writeInt(seat.era().value());
    }

    static SeatId readSeat(DataInput in) throws IOException {
        return new SeatId(new ClusterId(in.readUTF()), new SeatName(in.readUTF()), new Era(in.readInt()));
    }

    static void writeHolder(DataOutput out, Holder holder) throws IOException {
        out.writeUTF(holder.node().value());
        out.writeLong(holder.incarnation().value());
    }

    static Holder readHolder(DataInput in) throws IOException {
        return new Holder(new NodeId(in.readUTF()), new Incarnation(in.readLong()));
    }

    static void writeTerm(DataOutput out, Term term) throws IOException {
        out.writeLong(term.epoch().value());
        writeHolder(out, term.holder());
    }

    static Term readTerm(DataInput in) throws IOException {
        return new Term(new Epoch(in.readLong()), readHolder(in));
    }

    static void writeSeating(DataOutput out, Seating seating) throws IOException {
        writeTerm(out, seating.term());
        out.writeUTF(seating.address());
    }

    static Seating readSeating(DataInput in) throws IOException {
        return new Seating(readTerm(in), in.readUTF());
    }

    static void writeHash(DataOutput out, Hash hash) throws IOException {
        out.write(hash.toArray());
    }

    static Hash readHash(DataInput in) throws IOException {
        byte[] digest = new byte[Hash.SIZE];
        in.readFully(digest);
        return Hash.of(digest);
    }

    static void writeHead(DataOutput out, Head head) throws IOException {
        out.writeLong(head.height().value());
        writeHash(out, head.hash());
    }

    static Head readHead(DataInput in) throws IOException {
        return new Head(new Height(in.readLong()), readHash(in));
    }

    static void writeEnding(DataOutput out, Ending ending) throws IOException {
        out.writeByte(ending.code());
    }

    static Ending readEnding(DataInput in) throws IOException {
        return Ending.ofCode(in.readUnsignedByte());
    }

    static void writeCandidate(DataOutput out, Candidate candidate) throws IOException {
        writeHolder(out, candidate.holder());
        out.writeUTF(candidate.address());
    }

    static Candidate readCandidate(DataInput in) throws IOException {
        return new Candidate(readHolder(in), in.readUTF());
    }

    static void writeClaim(DataOutput out, Claim claim) throws IOException {
        switch (claim) {
            case Claim.Vacancy() -> out.writeByte(VACANCY);
            case Claim.Evidence(Term of) -> {
                out.writeByte(EVIDENCE);
                writeTerm(out, of);
            }
            case Claim.ByTicket(Ticket ticket) -> {
                out.writeByte(TICKET);
                writeSeat(out, ticket.seat());
                writeTerm(out, ticket.term());
                writeHead(out, ticket.head());
                out.writeUTF(ticket.target().value());
                out.writeLong(ticket.validFor().toMillis());
            }
        }
    }

    static Claim readClaim(DataInput in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case VACANCY -> new Claim.Vacancy();
            case EVIDENCE -> new Claim.Evidence(readTerm(in));
            case TICKET ->
                new Claim.ByTicket(new Ticket(
                        readSeat(in),
                        readTerm(in),
                        readHead(in),
                        new NodeId(in.readUTF()),
                        Duration.ofMillis(in.readLong())));
            default -> throw new IllegalArgumentException("claim: kind " + kind + " (expected: 1 to 3)");
        };
    }

    static void writeBytes(DataOutput out, Bytes bytes) throws IOException {
        out.writeInt(bytes.size());
        out.write(bytes.toArray());
    }

    static Bytes readBytes(DataInput in) throws IOException {
        int size = in.readInt();
        if (size < 0) {
            throw new IllegalArgumentException("bytes: a length of " + size + " (expected: 0 or more)");
        }
        byte[] bytes = new byte[size];
        in.readFully(bytes);
        return Bytes.wrap(bytes);
    }
}
