package dev.baton.duty.sequencer.store;

import dev.baton.core.Bytes;
import dev.baton.core.EntryCodec;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.block.StoredBlock;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The bytes of one block in the store: height, flags, perhaps the signature, and the entry as ledgers keep it. */
public final class StoredBlockCodec {

    private static final byte UNSIGNED = 0;
    private static final byte SIGNED = 1;

    private StoredBlockCodec() {}

    public static ByteBuffer encode(StoredBlock stored) {
        Bytes entry = EntryCodec.encode(stored.block().entry());
        BlockSignature signature = stored.signatureOrNull();
        int size = Long.BYTES + 1 + (signature == null ? 0 : sizeOf(signature)) + entry.size();
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putLong(stored.block().height().value());
        if (signature == null) {
            out.put(UNSIGNED);
        } else {
            out.put(SIGNED);
            put(out, signature);
        }
        return out.put(entry.asBuffer()).flip();
    }

    public static StoredBlock decode(SeatId seat, ByteBuffer body) {
        ByteBuffer in = body.duplicate();
        in.getLong();
        @Nullable BlockSignature signature = in.get() == SIGNED ? signature(in) : null;
        return new StoredBlock(Block.of(EntryCodec.decode(seat, in)), signature);
    }

    static long heightOf(ByteBuffer body) {
        return body.getLong(0);
    }

    static boolean isSigned(ByteBuffer body) {
        return body.get(Long.BYTES) == SIGNED;
    }

    /** A signature that arrived later than its block. */
    static ByteBuffer encode(Height height, BlockSignature signature) {
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + sizeOf(signature));
        out.putLong(height.value());
        put(out, signature);
        return out.flip();
    }

    static BlockSignature decodeSignature(ByteBuffer body) {
        ByteBuffer in = body.duplicate();
        in.getLong();
        return signature(in);
    }

    private static int sizeOf(BlockSignature signature) {
        return 2 * Short.BYTES
                + Bytes.utf8(signature.signer().value()).size()
                + signature.bytes().size();
    }

    private static void put(ByteBuffer out, BlockSignature signature) {
        Bytes signer = Bytes.utf8(signature.signer().value());
        out.putShort((short) signer.size()).put(signer.asBuffer());
        out.putShort((short) signature.bytes().size()).put(signature.bytes().asBuffer());
    }

    private static BlockSignature signature(ByteBuffer in) {
        return new BlockSignature(new NodeId(run(in).toUtf8()), run(in));
    }

    private static Bytes run(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return Bytes.wrap(bytes);
    }
}
