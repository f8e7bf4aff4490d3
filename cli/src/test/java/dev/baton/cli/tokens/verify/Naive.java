package dev.baton.cli.tokens.verify;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;

/** The same judgement, as plainly as it can be said: every pair, every token. */
final class Naive {

    private Naive() {}

    static long duplicates(List<HandedRange> ranges) {
        List<HandedRange> sorted = ranges.stream()
                .sorted(Comparator.comparingLong(HandedRange::start).thenComparingLong(HandedRange::last))
                .toList();
        long count = 0;
        for (int i = 0; i < sorted.size(); i++) {
            HandedRange range = sorted.get(i);
            Set<Long> tokens = tokens(range);
            boolean shared = sorted.subList(0, i).stream()
                    .filter(other -> other.namespace().equals(range.namespace()))
                    .anyMatch(other -> tokens(other).stream().anyMatch(tokens::contains));
            count += shared ? 1 : 0;
        }
        return count;
    }

    private static Set<Long> tokens(HandedRange range) {
        Set<Long> tokens = new HashSet<>();
        LongStream.iterate(range.start(), token -> token < range.end(), token -> token + range.step())
                .forEach(tokens::add);
        return tokens;
    }

    static long orderViolations(List<HandedRange> ranges, boolean leased) {
        return later(
                ranges,
                (before, after) -> before.leased() == leased
                        && after.leased() == leased
                        && before.namespace().equals(after.namespace())
                        && after.start() <= before.start());
    }

    static long revisionDecreases(List<HandedRange> ranges) {
        return later(
                ranges,
                (before, after) -> before.client().equals(after.client()) && after.revision() < before.revision());
    }

    private static long later(List<HandedRange> ranges, BiPredicate<HandedRange, HandedRange> wrong) {
        return ranges.stream()
                .filter(after -> ranges.stream()
                        .anyMatch(before -> before.clock().equals(after.clock())
                                && before.receivedNanos() < after.sentNanos()
                                && wrong.test(before, after)))
                .count();
    }

    static long uncovered(List<HandedRange> ranges, Ledger ledger) {
        return ranges.stream()
                .filter(range -> !isCovered(range, ledger) && !isForgotten(range, ledger))
                .count();
    }

    static long forgotten(List<HandedRange> ranges, Ledger ledger) {
        return ranges.stream()
                .filter(range -> !isCovered(range, ledger) && isForgotten(range, ledger))
                .count();
    }

    private static boolean isForgotten(HandedRange range, Ledger ledger) {
        return coverage(range, ledger)
                .filter(coverage -> isBelowNext(range, coverage))
                .filter(coverage -> tokens(range).stream().allMatch(token -> token < coverage.rememberedFrom()))
                .isPresent();
    }

    private static boolean isCovered(HandedRange range, Ledger ledger) {
        return coverage(range, ledger)
                .filter(coverage -> isBelowNext(range, coverage))
                .filter(coverage -> coverage.stretches().stream()
                        .filter(stretch -> stretch.epoch() == range.epoch())
                        .anyMatch(stretch -> tokens(range).stream()
                                .allMatch(token -> token >= stretch.first() && token < stretch.end())))
                .isPresent();
    }

    private static Optional<Ledger.Coverage> coverage(HandedRange range, Ledger ledger) {
        return Optional.ofNullable(ledger.namespaces().get(range.namespace()));
    }

    private static boolean isBelowNext(HandedRange range, Ledger.Coverage coverage) {
        return tokens(range).stream()
                .allMatch(token ->
                        coverage.next().isEmpty() || token < coverage.next().getAsLong());
    }
}
