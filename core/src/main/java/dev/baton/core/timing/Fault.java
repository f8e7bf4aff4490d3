package dev.baton.core.timing;

/** One thing wrong with a configuration: where, what stands there, and what was expected. */
public record Fault(String key, String value, String expected) {

    @Override
    public String toString() {
        return key + ": " + value + " (expected: " + expected + ")";
    }
}
