package dev.baton.cli.tokens.verify;

import java.math.BigInteger;

/** Numbers that lie equally far apart: {@code start}, {@code start + step} … {@code last}. */
record Progression(long start, long last, long step) {

    /** Whether some number is in both; exact for any steps. */
    boolean meets(Progression other) {
        long from = Math.max(start, other.start);
        long to = Math.min(last, other.last);
        if (from > to) {
            return false;
        }
        // The least x >= 0 with start + x * step = other.start (mod other.step), if there is any.
        BigInteger here = BigInteger.valueOf(step);
        BigInteger there = BigInteger.valueOf(other.step);
        BigInteger common = here.gcd(there);
        BigInteger apart = BigInteger.valueOf(other.start).subtract(BigInteger.valueOf(start));
        if (apart.mod(common).signum() != 0) {
            return false;
        }
        BigInteger period = there.divide(common);
        BigInteger x = period.equals(BigInteger.ONE)
                ? BigInteger.ZERO
                : apart.divide(common)
                        .multiply(here.divide(common).modInverse(period))
                        .mod(period);
        BigInteger meeting = BigInteger.valueOf(start).add(x.multiply(here));
        // Both meet here and then again each time both steps have come round.
        BigInteger round = here.multiply(period);
        BigInteger first = BigInteger.valueOf(from);
        if (meeting.compareTo(first) < 0) {
            BigInteger rounds =
                    first.subtract(meeting).add(round).subtract(BigInteger.ONE).divide(round);
            meeting = meeting.add(rounds.multiply(round));
        }
        return meeting.compareTo(BigInteger.valueOf(to)) <= 0;
    }
}
