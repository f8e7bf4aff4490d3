package dev.baton.authority.raft;

import dev.baton.authority.Candidate;
import dev.baton.core.Bytes;
import dev.baton.core.Claim;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;

/** What a member asks of the leader. */
sealed interface PeerRequest {

    /** A candidate at the asking member wants the seat: move the leadership there. */
    record Lead(MemberId from, SeatId seat, Claim claim, Candidate candidate) implements PeerRequest {}

    /** A started, empty member wants to be taken in, in place of whatever its node was before. */
    record Join(MemberId member, String address) implements PeerRequest {}

    record Remove(NodeId node) implements PeerRequest {}

    /** An operator wants the leadership at that node. */
    record MoveTo(NodeId node) implements PeerRequest {}

    int FORMAT = 1;
    int LEAD = 1;
    int JOIN = 2;
    int REMOVE = 3;
    int MOVE_TO = 4;

    default Bytes encode() {
        return Fields.toBytes(this::write);
    }

    private void write(DataOutput out) throws IOException {
        Fields.writeFormat(out, FORMAT);
        switch (this) {
            case Lead(MemberId from, SeatId seat, Claim claim, Candidate candidate) -> {
                out.writeByte(LEAD);
                out.writeUTF(from.value());
                Fields.writeSeat(out, seat);
                Fields.writeClaim(out, claim);
                Fields.writeCandidate(out, candidate);
            }
            case Join(MemberId member, String address) -> {
                out.writeByte(JOIN);
                out.writeUTF(member.value());
                out.writeUTF(address);
            }
            case Remove(NodeId node) -> {
                out.writeByte(REMOVE);
                out.writeUTF(node.value());
            }
            case MoveTo(NodeId node) -> {
                out.writeByte(MOVE_TO);
                out.writeUTF(node.value());
            }
        }
    }

    static PeerRequest decode(Bytes bytes) {
        return Fields.fromBytes("request", bytes, PeerRequest::read);
    }

    private static PeerRequest read(DataInputStream in) throws IOException {
        Fields.checkFormat(in, "request", FORMAT);
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case LEAD ->
                new Lead(
                        new MemberId(in.readUTF()),
                        Fields.readSeat(in),
                        Fields.readClaim(in),
                        Fields.readCandidate(in));
            case JOIN -> new Join(new MemberId(in.readUTF()), in.readUTF());
            case REMOVE -> new Remove(new NodeId(in.readUTF()));
            case MOVE_TO -> new MoveTo(new NodeId(in.readUTF()));
            default -> throw new IllegalArgumentException("request: kind " + kind + " (expected: 1 to 4)");
        };
    }
}
