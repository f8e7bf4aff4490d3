package dev.baton.authority.raft;

import dev.baton.core.Bytes;
import dev.baton.core.Seating;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/** What the leader answers a member. */
sealed interface PeerAnswer {

    /** Done, or under way: look who leads. */
    record Granted() implements PeerAnswer {}

    /** Not now; ask again. */
    record Wait(String why) implements PeerAnswer {}

    record Held(Seating by) implements PeerAnswer {}

    record Refused(String why) implements PeerAnswer {}

    int FORMAT = 1;
    int GRANTED = 1;
    int WAIT = 2;
    int HELD = 3;
    int REFUSED = 4;

    default Bytes encode() {
        return Fields.toBytes(this::write);
    }

    private void write(DataOutput out) throws IOException {
        Fields.writeFormat(out, FORMAT);
        switch (this) {
            case Granted() -> out.writeByte(GRANTED);
            case Wait(String why) -> {
                out.writeByte(WAIT);
                out.writeUTF(why);
            }
            case Held(Seating by) -> {
                out.writeByte(HELD);
                Fields.writeSeating(out, by);
            }
            case Refused(String why) -> {
                out.writeByte(REFUSED);
                out.writeUTF(why);
            }
        }
    }

    static PeerAnswer decode(Bytes bytes) {
        return Fields.fromBytes("answer", bytes, PeerAnswer::read);
    }

    private static PeerAnswer read(DataInputStream in) throws IOException {
        Fields.checkFormat(in, "answer", FORMAT);
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case GRANTED -> new Granted();
            case WAIT -> new Wait(in.readUTF());
            case HELD -> new Held(Fields.readSeating(in));
            case REFUSED -> new Refused(in.readUTF());
            default -> throw new IllegalArgumentException("answer: kind " + kind + " (expected: 1 to 4)");
        };
    }
}
