package dev.baton.duty.remote;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;

/**
 * What the ledger keeps for each pulse: it is the whole state.
 *
 * @param head what every later sequencer must contain
 * @param seenNumber how far the sequencer was by then
 * @param node beside whose node it ran; empty before the first record
 */
public record HeadRecord(BlockRef head, long seenNumber, String node) {

    static final HeadRecord NONE = new HeadRecord(BlockRef.NONE, 0, "");

    boolean isFirst() {
        return node.isEmpty();
    }

    Bytes encode() {
        return Bytes.wrap(dev.baton.wire.remote.v1.HeadRecord.newBuilder()
                .setNumber(head.number())
                .setHash(ByteString.copyFrom(head.hash().asBuffer()))
                .setSeenNumber(seenNumber)
                .setNode(node)
                .build()
                .toByteArray());
    }

    static HeadRecord decode(Bytes payload) {
        try {
            var read = dev.baton.wire.remote.v1.HeadRecord.parseFrom(payload.asBuffer());
            return new HeadRecord(
                    new BlockRef(read.getNumber(), Hash.of(read.getHash().toByteArray())),
                    read.getSeenNumber(),
                    read.getNode());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new IllegalArgumentException("ledger payload: " + payload + " (expected: a head record)", e);
        }
    }
}
