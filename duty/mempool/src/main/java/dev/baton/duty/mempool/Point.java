package dev.baton.duty.mempool;

import dev.baton.core.Hash;

/** A block's place on the chain: its number (or slot) and its hash. Written {@code number.hash}. */
public record Point(long number, Hash hash) {

    /** Before the first block. */
    public static final Point ORIGIN = new Point(0, Hash.ZERO);

    public Point {
        if (number < 0) {
            throw new InvalidRequestException("point", Long.toString(number), "a number from 0 on");
        }
    }

    public static Point parse(String text) {
        int dot = text.indexOf('.');
        try {
            if (dot > 0) {
                return new Point(Long.parseLong(text.substring(0, dot)), Hash.parse(text.substring(dot + 1)));
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException("point", text, "number.hash: " + e.getMessage());
        }
        throw new InvalidRequestException("point", text, "number.hash");
    }

    @Override
    public String toString() {
        return number + "." + hash;
    }
}
