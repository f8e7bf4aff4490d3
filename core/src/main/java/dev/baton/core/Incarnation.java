package dev.baton.core;

/**
 * One start of a process, drawn at random by whoever starts it.
 *
 * <p>INV-2: a term belongs to an incarnation, never to a name, so nobody resumes a term after a restart.
 */
public record Incarnation(long value) {

    public static Incarnation parse(String text) {
        return new Incarnation(Long.parseUnsignedLong(text, 16));
    }

    @Override
    public String toString() {
        return "%016x".formatted(value);
    }
}
