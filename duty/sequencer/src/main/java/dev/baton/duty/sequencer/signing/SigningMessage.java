package dev.baton.duty.sequencer.signing;

import dev.baton.core.Bytes;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import java.nio.ByteBuffer;

/**
 * The bytes that a block's signature covers: a fixed prefix, the era, and the block's hash.
 *
 * <p>The hash covers cluster and seat but not the era, and a signature must not carry over into another one.
 */
public final class SigningMessage {

    private static final Bytes BLOCK = Bytes.utf8("baton-block-1");
    private static final Bytes PROBE = Bytes.utf8("baton-probe-1");

    private SigningMessage() {}

    public static Bytes of(Era era, Hash block) {
        ByteBuffer out = ByteBuffer.allocate(BLOCK.size() + Integer.BYTES + Hash.SIZE);
        out.put(BLOCK.asBuffer()).putInt(era.value()).put(block.asBuffer());
        return Bytes.wrap(out.array());
    }

    /** Something to sign that is no block's message. */
    public static Bytes probe() {
        return PROBE;
    }
}
