package dev.baton.core;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The one byte form of a fact, used by the entry's hash and by every engine. */
final class FactCodec {

    private static final int OPENED = 1;
    private static final int RESIGNED = 2;
    private static final int HANDOFF_ABORTED = 3;
    private static final int CHECKPOINT = 4;
    private static final int NODE_SET = 5;

    private FactCodec() {}

    static Bytes encode(Fact fact) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(fact, out);
        } catch (UTFDataFormatException e) {
            throw new IllegalArgumentException("fact: a text too long to store (expected: 65535 bytes or less)", e);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    private static void write(Fact fact, DataOutputStream out) throws IOException {
        switch (fact) {
            case Fact.Opened(Seating seating, Ending ended, long openedAtMillis) -> {
                out.writeByte(OPENED);
                out.writeLong(seating.term().epoch().value());
                out.writeUTF(seating.term().node().value());
                out.writeLong(seating.term().holder().incarnation().value());
                out.writeUTF(seating.address());
                out.writeByte(ended.code());
                out.writeLong(openedAtMillis);
            }
            case Fact.Resigned(String reason) -> {
                out.writeByte(RESIGNED);
                out.writeUTF(reason);
            }
            case Fact.HandoffAborted(NodeId target) -> {
                out.writeByte(HANDOFF_ABORTED);
                out.writeUTF(target.value());
            }
            case Fact.Checkpoint(Height covers, int part, int parts, Bytes state) -> {
                out.writeByte(CHECKPOINT);
                out.writeLong(covers.value());
                out.writeInt(part);
                out.writeInt(parts);
                out.writeInt(state.size());
                out.write(state.toArray());
            }
            case Fact.NodeSet(List<String> members) -> {
                out.writeByte(NODE_SET);
                out.writeInt(members.size());
                for (String member : members) {
                    out.writeUTF(member);
                }
            }
        }
    }

    static Fact decode(Bytes bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toArray()))) {
            Fact fact = read(in);
            if (in.read() != -1) {
                throw new IllegalArgumentException("fact: bytes left over after " + fact);
            }
            return fact;
        } catch (IOException e) {
            throw new IllegalArgumentException("fact: cut short after " + bytes.size() + " bytes", e);
        }
    }

    private static Fact read(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case OPENED -> new Fact.Opened(readSeating(in), Ending.ofCode(in.readUnsignedByte()), in.readLong());
            case RESIGNED -> new Fact.Resigned(in.readUTF());
            case HANDOFF_ABORTED -> new Fact.HandoffAborted(new NodeId(in.readUTF()));
            case CHECKPOINT ->
                new Fact.Checkpoint(new Height(in.readLong()), in.readInt(), in.readInt(), readBytes(in));
            case NODE_SET -> {
                int count = checkedCount(in.readInt());
                List<String> members = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    members.add(in.readUTF());
                }
                yield new Fact.NodeSet(members);
            }
            default -> throw new IllegalArgumentException("fact: kind " + kind + " (expected: 1 to 5)");
        };
    }

    /** Unlike {@code readNBytes}, never returns fewer bytes than the length says. */
    private static Bytes readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IllegalArgumentException(
                    "fact: a state of " + length + " bytes (expected: 0 to " + in.available() + ")");
        }
        return Bytes.wrap(in.readNBytes(length));
    }

    private static int checkedCount(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("fact: " + count + " members (expected: 0 or more)");
        }
        return count;
    }

    private static Seating readSeating(DataInputStream in) throws IOException {
        Epoch epoch = new Epoch(in.readLong());
        Holder holder = new Holder(new NodeId(in.readUTF()), new Incarnation(in.readLong()));
        return new Seating(new Term(epoch, holder), in.readUTF());
    }
}
