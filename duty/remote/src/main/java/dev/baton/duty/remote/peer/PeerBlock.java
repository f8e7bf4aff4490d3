package dev.baton.duty.remote.peer;

import com.google.protobuf.ByteString;
import dev.baton.core.Hash;
import dev.baton.duty.remote.BlockRef;
import dev.baton.wire.remote.v1.Block;
import java.nio.ByteBuffer;

/**
 * A block: nothing but its place in the chain.
 *
 * @param epoch of the term under which it was made; 0 if under none
 */
public record PeerBlock(long number, Hash parent, long epoch, long madeAtMillis) {

    public Hash hash() {
        ByteBuffer bytes = ByteBuffer.allocate(3 * Long.BYTES + Hash.SIZE);
        bytes.putLong(number).put(parent.asBuffer()).putLong(epoch).putLong(madeAtMillis);
        return Hash.sha256(bytes.flip());
    }

    BlockRef ref() {
        return new BlockRef(number, hash());
    }

    boolean follows(BlockRef head) {
        return number == head.number() + 1 && parent.equals(head.hash());
    }

    Block toWire() {
        return Block.newBuilder()
                .setNumber(number)
                .setParent(ByteString.copyFrom(parent.asBuffer()))
                .setEpoch(epoch)
                .setMadeAtMillis(madeAtMillis)
                .build();
    }

    /** Fails with {@link IllegalArgumentException} for what is no block. */
    public static PeerBlock of(Block wire) {
        return new PeerBlock(
                wire.getNumber(), Hash.of(wire.getParent().toByteArray()), wire.getEpoch(), wire.getMadeAtMillis());
    }
}
