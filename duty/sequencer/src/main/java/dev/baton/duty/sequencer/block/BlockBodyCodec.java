package dev.baton.duty.sequencer.block;

import dev.baton.core.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The byte form of a block's body: the payload of a ledger entry, covered by its hash and therefore fixed for ever.
 *
 * <p>Format byte, time, origin, number of transactions, transactions; numbers are big-endian, and what has no fixed
 * length is preceded by it.
 */
public final class BlockBodyCodec {

    private static final byte FORMAT = 1;

    private BlockBodyCodec() {}

    /** The bytes of a body without transactions. */
    public static int sizeOfEmpty(String l1Origin) {
        return 1 + Long.BYTES + Integer.BYTES + l1Origin.getBytes(StandardCharsets.UTF_8).length + Integer.BYTES;
    }

    /** The bytes that one transaction adds. */
    public static int sizeOf(Bytes transaction) {
        return Integer.BYTES + transaction.size();
    }

    public static Bytes encode(BlockBody body) {
        byte[] origin = body.l1Origin().getBytes(StandardCharsets.UTF_8);
        int size = sizeOfEmpty(body.l1Origin());
        for (Bytes transaction : body.transactions()) {
            size = Math.addExact(size, sizeOf(transaction));
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.put(FORMAT).putLong(body.timeMillis()).putInt(origin.length).put(origin);
        out.putInt(body.transactions().size());
        for (Bytes transaction : body.transactions()) {
            out.putInt(transaction.size()).put(transaction.asBuffer());
        }
        return Bytes.wrap(out.array());
    }

    /** Reads what {@link #encode} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    public static BlockBody decode(Bytes payload) {
        ByteBuffer in = payload.asBuffer();
        try {
            byte format = in.get();
            if (format != FORMAT) {
                throw new IllegalArgumentException("block body: format " + format + " (expected: " + FORMAT + ")");
            }
            long timeMillis = in.getLong();
            String origin = run(in, "an origin").toUtf8();
            int count = in.getInt();
            // Each transaction takes four bytes at least, so a false count cannot make us reserve much memory.
            if (count < 0 || count > in.remaining() / Integer.BYTES) {
                throw new IllegalArgumentException(
                        "block body: " + count + " transactions in " + in.remaining() + " bytes");
            }
            List<Bytes> transactions = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                transactions.add(run(in, "a transaction"));
            }
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(
                        "block body: " + in.remaining() + " bytes after the last transaction (expected: none)");
            }
            return new BlockBody(timeMillis, origin, transactions);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("block body: cut short after " + payload.size() + " bytes", e);
        }
    }

    private static Bytes run(ByteBuffer in, String what) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException(
                    "block body: " + what + " of " + length + " bytes (expected: 0 to " + in.remaining() + ")");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return Bytes.wrap(bytes);
    }
}
