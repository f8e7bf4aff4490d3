package dev.baton.core;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The byte form in which engines and stores keep an entry.
 *
 * <p>The hash is not part of it: it is computed anew on reading, and whoever kept the hash beside the bytes compares.
 */
public final class EntryCodec {

    private static final byte FORMAT = 1;

    private EntryCodec() {}

    public static Bytes encode(Entry entry) {
        List<Bytes> facts = entry.facts().stream().map(FactCodec::encode).toList();
        int size = 1
                + Long.BYTES
                + Hash.SIZE
                + Long.BYTES
                + Integer.BYTES
                + entry.payload().size();
        for (Bytes fact : facts) {
            size += Integer.BYTES + fact.size();
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        out.put(FORMAT).putLong(entry.height().value()).put(entry.parent().asBuffer());
        out.putLong(entry.author().value()).putInt(facts.size());
        for (Bytes fact : facts) {
            out.putInt(fact.size()).put(fact.asBuffer());
        }
        out.put(entry.payload().asBuffer());
        return Bytes.wrap(out.array());
    }

    /** Reads what {@link #encode} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    public static Entry decode(SeatId seat, ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate();
        try {
            byte format = in.get();
            if (format != FORMAT) {
                throw new IllegalArgumentException("entry: format " + format + " (expected: " + FORMAT + ")");
            }
            Height height = new Height(in.getLong());
            byte[] parent = new byte[Hash.SIZE];
            in.get(parent);
            Epoch author = new Epoch(in.getLong());
            int count = in.getInt();
            if (count < 0) {
                throw new IllegalArgumentException("entry: " + count + " facts (expected: 0 or more)");
            }
            List<Fact> facts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                byte[] fact = new byte[checkedLength(in.getInt(), in.remaining())];
                in.get(fact);
                facts.add(FactCodec.decode(Bytes.wrap(fact)));
            }
            return Entry.of(seat, height, Hash.of(parent), author, facts, Bytes.copyOf(in));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("entry: cut short after " + bytes.remaining() + " bytes", e);
        }
    }

    private static int checkedLength(int length, int remaining) {
        if (length < 0 || length > remaining) {
            throw new IllegalArgumentException(
                    "entry: a fact of " + length + " bytes (expected: 0 to " + remaining + ")");
        }
        return length;
    }
}
