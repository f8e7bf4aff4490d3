package dev.baton.authority.redis.protocol;

import java.util.random.RandomGenerator;

/**
 * Whom a quorum counts: one admission of one Redis node to one seat's node set.
 *
 * <p>Drawn at random at each admission. A Redis that may have forgotten something comes back as another member, so the
 * old one never votes again.
 */
public record MemberId(String value) implements Comparable<MemberId> {

    public MemberId {
        if (!value.matches("[0-9a-f]{16}")) {
            throw new IllegalArgumentException("member: " + value + " (expected: 16 hexadecimal digits)");
        }
    }

    public static MemberId random(RandomGenerator random) {
        return new MemberId(String.format("%016x", random.nextLong()));
    }

    @Override
    public int compareTo(MemberId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
