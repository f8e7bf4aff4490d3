package dev.baton.duty.tokens.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what a {@link Packer} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
final class Unpacker {

    private final String what;
    private final byte[] bytes;
    private final int limit;
    private int at;

    /**
     * @param what whose bytes these are, for messages
     * @param limit where to stop
     */
    Unpacker(String what, byte[] bytes, int limit) {
        this.what = what;
        this.bytes = bytes;
        this.limit = limit;
    }

    int octet() {
        need(1);
        return bytes[at++] & 0xff;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = octet();
            value |= (long) (next & 0x7f) << shift;
            if (next <= 0x7f) {
                if (next == 0 && shift > 0) {
                    throw refused("a number with a needless byte");
                }
                return value;
            }
        }
        throw refused("a number of more than 63 bits");
    }

    int smallNumber(long most) {
        long value = number();
        if (value > most || value > Integer.MAX_VALUE) {
            throw refused("the number " + value + " (expected: " + most + " or less)");
        }
        return (int) value;
    }

    /** How many things follow; each takes a byte at least, so a false count cannot make us reserve much memory. */
    int count() {
        return smallNumber(limit - at);
    }

    boolean flag() {
        int value = octet();
        if (value > 1) {
            throw refused("the flag " + value + " (expected: 0 or 1)");
        }
        return value == 1;
    }

    String text() {
        int length = count();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    byte[] fixed(int length) {
        need(length);
        byte[] run = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return run;
    }

    void end() {
        if (at != limit) {
            throw refused((limit - at) + " bytes too many");
        }
    }

    private void need(int length) {
        if (length > limit - at) {
            throw refused("no more bytes");
        }
    }

    IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(what + ": " + why + " at byte " + at + " of " + limit);
    }
}
