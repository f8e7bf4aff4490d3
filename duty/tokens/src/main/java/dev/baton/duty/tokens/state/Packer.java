package dev.baton.duty.tokens.state;

import dev.baton.core.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes numbers, seven bits a byte, and texts with their length in front. */
final class Packer {

    private byte[] bytes = new byte[256];
    private int size;

    int size() {
        return size;
    }

    void octet(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    /** A number from 0 on; the smaller it is, the fewer bytes it takes. */
    void number(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("number: " + value + " (expected: 0 or more)");
        }
        room(9); // 63 bits, seven a byte
        long rest = value;
        while (rest > 0x7f) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** How many bytes {@link #number} takes for it. */
    static int sizeOf(long value) {
        return 1 + (63 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    void text(String text) {
        raw(text.getBytes(StandardCharsets.UTF_8));
    }

    private void raw(byte[] run) {
        number(run.length);
        fixed(run);
    }

    void fixed(byte[] run) {
        room(run.length);
        System.arraycopy(run, 0, bytes, size, run.length);
        size += run.length;
    }

    void fixedInt(int value) {
        room(Integer.BYTES);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    Bytes toBytes() {
        return Bytes.wrap(toArray());
    }
}
