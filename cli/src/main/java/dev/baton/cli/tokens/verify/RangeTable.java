package dev.baton.cli.tokens.verify;

import java.util.Arrays;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/** All ranges, column by column in plain arrays: 44 bytes each. */
final class RangeTable {

    /** What the ranges of one kind of request have in common. */
    record Kind(String namespace, long step, boolean leased) {}

    /** Whose requests can be put in order. */
    record Caller(String client, String clock) {}

    /** In which term a range was handed out. */
    record Term(long epoch, long revision) {}

    private final Names<Kind> kinds = new Names<>();
    private final Names<Caller> callers = new Names<>();
    private final Names<Term> terms = new Names<>();
    private int size;
    private long[] starts = new long[1024];
    private long[] lasts = new long[1024];
    private long[] sentNanos = new long[1024];
    private long[] receivedNanos = new long[1024];
    private int[] kindOf = new int[1024];
    private int[] callerOf = new int[1024];
    private int[] termOf = new int[1024];
    private long highest;

    void add(HandedRange range) {
        if (size == starts.length) {
            grow();
        }
        starts[size] = range.start();
        lasts[size] = range.last();
        sentNanos[size] = range.sentNanos();
        receivedNanos[size] = range.receivedNanos();
        kindOf[size] = kinds.number(new Kind(range.namespace(), range.step(), range.leased()));
        callerOf[size] = callers.number(new Caller(range.client(), range.clock()));
        termOf[size] = terms.number(new Term(range.epoch(), range.revision()));
        highest = Math.max(highest, range.height());
        size++;
    }

    private void grow() {
        int length = Math.addExact(size, size / 2);
        starts = Arrays.copyOf(starts, length);
        lasts = Arrays.copyOf(lasts, length);
        sentNanos = Arrays.copyOf(sentNanos, length);
        receivedNanos = Arrays.copyOf(receivedNanos, length);
        kindOf = Arrays.copyOf(kindOf, length);
        callerOf = Arrays.copyOf(callerOf, length);
        termOf = Arrays.copyOf(termOf, length);
    }

    int size() {
        return size;
    }

    /** The highest ledger entry that any range is committed in. */
    long highest() {
        return highest;
    }

    long start(int range) {
        return starts[range];
    }

    long last(int range) {
        return lasts[range];
    }

    long sentNanos(int range) {
        return sentNanos[range];
    }

    long receivedNanos(int range) {
        return receivedNanos[range];
    }

    Kind kind(int range) {
        return kinds.value(kindOf[range]);
    }

    Caller caller(int range) {
        return callers.value(callerOf[range]);
    }

    Term term(int range) {
        return terms.value(termOf[range]);
    }

    long tokens(int range) {
        return (lasts[range] - starts[range]) / kind(range).step() + 1;
    }

    Set<String> namespaces() {
        return kinds.values().stream().map(Kind::namespace).collect(Collectors.toUnmodifiableSet());
    }

    /** For each range the number of its namespace. */
    int[] byNamespace() {
        Names<String> names = new Names<>();
        int[] ofKind = kinds.values().stream()
                .mapToInt(kind -> names.number(kind.namespace()))
                .toArray();
        return each(range -> ofKind[kindOf[range]]);
    }

    /** For each range the number of its client and clock. */
    int[] byCaller() {
        return Arrays.copyOf(callerOf, size);
    }

    /** For each range the number of what its order is judged within: namespace, guarantee and clock. */
    int[] byOrderedGroup() {
        record Group(String namespace, boolean leased, String clock) {}
        Names<Group> names = new Names<>();
        return each(range -> names.number(new Group(
                kind(range).namespace(), kind(range).leased(), caller(range).clock())));
    }

    private int[] each(IntUnaryOperator number) {
        int[] numbers = new int[size];
        for (int range = 0; range < size; range++) {
            numbers[range] = number.applyAsInt(range);
        }
        return numbers;
    }
}
