package dev.baton.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * The bytes that an entry's hash covers: fixed here for ever, and independent of any wire format.
 *
 * <p>Numbers are big-endian; whatever has no fixed length is preceded by it, so no two entries share their bytes.
 */
final class EntryHash {

    private static final Bytes FORMAT = Bytes.utf8("baton-entry-1");

    private final MessageDigest digest = Hash.newSha256();

    private EntryHash() {}

    static Hash of(SeatId seat, Height height, Hash parent, Epoch author, List<Fact> facts, Bytes payload) {
        EntryHash hash = new EntryHash();
        hash.put(FORMAT);
        hash.put(seat.cluster().value());
        hash.put(seat.seat().value());
        hash.put(height.value());
        hash.digest.update(parent.asBuffer());
        hash.put(author.value());
        hash.put(facts.size());
        facts.forEach(hash::put);
        hash.put(payload);
        return Hash.finished(hash.digest);
    }

    private void put(Fact fact) {
        put(FactCodec.encode(fact));
    }

    private void put(Bytes bytes) {
        put(bytes.size());
        digest.update(bytes.asBuffer());
    }

    private void put(String text) {
        put(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void put(long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    }

    private void put(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
    }
}
