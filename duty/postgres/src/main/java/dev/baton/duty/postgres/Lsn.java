package dev.baton.duty.postgres;

/** A position in the write-ahead log, as PostgreSQL counts it: bytes from the beginning. */
public record Lsn(long bytes) implements Comparable<Lsn> {

    public static final Lsn ZERO = new Lsn(0);

    /** Reads PostgreSQL's own way to write it, such as {@code 0/3000148}. */
    public static Lsn parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1) {
            throw new IllegalArgumentException(
                    "position: " + text + " (expected: two hexadecimal numbers, as 0/3000148)");
        }
        return new Lsn(
                (Long.parseLong(text.substring(0, slash), 16) << 32) | Long.parseLong(text.substring(slash + 1), 16));
    }

    public long behind(Lsn other) {
        return Math.max(0, other.bytes - bytes);
    }

    @Override
    public int compareTo(Lsn other) {
        return Long.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return "%X/%X".formatted(bytes >>> 32, bytes & 0xFFFF_FFFFL);
    }
}
