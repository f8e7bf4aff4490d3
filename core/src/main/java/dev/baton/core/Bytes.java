package dev.baton.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of bytes. */
public final class Bytes {

    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    public static Bytes copyOf(byte[] array) {
        return new Bytes(array.clone());
    }

    public static Bytes copyOf(ByteBuffer buffer) {
        byte[] array = new byte[buffer.remaining()];
        buffer.duplicate().get(array);
        return new Bytes(array);
    }

    /** Takes the array as it is; the caller promises never to write to it again. */
    public static Bytes wrap(byte[] array) {
        return new Bytes(array);
    }

    public static Bytes utf8(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public int size() {
        return array.length;
    }

    public boolean isEmpty() {
        return array.length == 0;
    }

    public byte[] toArray() {
        return array.clone();
    }

    /** A read-only view, without a copy. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(array).asReadOnlyBuffer();
    }

    public String toUtf8() {
        return new String(array, StandardCharsets.UTF_8);
    }

    public String toHex() {
        return HexFormat.of().formatHex(array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return array.length <= 32 ? toHex() : array.length + " bytes";
    }
}
