package dev.baton.cli.tokens.verify;

import java.util.function.IntToLongFunction;

/** Sorts positions by numbers, without objects and without comparing; equal ones keep their order. */
final class RadixSort {

    private final int digitBits;
    private final int digits;
    private int[] order;
    private int[] spare;

    /** The positions from 0 to {@code size - 1}, in that order. */
    RadixSort(int size) {
        // Large digits need fewer passes, but a table each that a few positions are not worth.
        digitBits = size < 10_000 ? 8 : 16;
        digits = 1 << digitBits;
        order = new int[size];
        spare = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
    }

    /** To sort by several keys, sort by the least important one first. */
    RadixSort by(IntToLongFunction key) {
        long or = 0;
        long and = -1;
        for (int position : order) {
            long value = flipped(key, position);
            or |= value;
            and &= value;
        }
        for (int shift = 0; shift < Long.SIZE; shift += digitBits) {
            // A digit that is the same everywhere sorts nothing.
            if ((((or ^ and) >>> shift) & (digits - 1)) != 0) {
                byDigit(key, shift);
            }
        }
        return this;
    }

    private void byDigit(IntToLongFunction key, int shift) {
        int[] ends = new int[digits + 1];
        for (int position : order) {
            ends[digit(key, position, shift) + 1]++;
        }
        for (int digit = 0; digit < digits; digit++) {
            ends[digit + 1] += ends[digit];
        }
        for (int position : order) {
            spare[ends[digit(key, position, shift)]++] = position;
        }
        int[] sorted = spare;
        spare = order;
        order = sorted;
    }

    private int digit(IntToLongFunction key, int position, int shift) {
        return (int) (flipped(key, position) >>> shift) & (digits - 1);
    }

    /** Negative numbers come first. */
    private static long flipped(IntToLongFunction key, int position) {
        return key.applyAsLong(position) ^ Long.MIN_VALUE;
    }

    int[] order() {
        return order;
    }
}
