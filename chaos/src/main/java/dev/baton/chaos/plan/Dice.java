package dev.baton.chaos.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Numbers that depend on the seed alone. SplitMix64 written out, because what a JDK's generator draws within a bound
 * may change with the JDK, and a seed must mean the same schedule for ever.
 */
final class Dice {

    private long state;

    Dice(long seed) {
        state = seed;
    }

    private long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number from {@code least} to {@code most}, both included. */
    long between(long least, long most) {
        return least + Math.floorMod(next(), most - least + 1);
    }

    boolean oneIn(int times) {
        return between(1, times) == 1;
    }

    <T> T pick(List<T> from) {
        return from.get((int) between(0, from.size() - 1L));
    }

    <T> List<T> shuffled(List<T> from) {
        List<T> result = new ArrayList<>(from);
        for (int i = result.size() - 1; i > 0; i--) {
            Collections.swap(result, i, (int) between(0, i));
        }
        return result;
    }
}
