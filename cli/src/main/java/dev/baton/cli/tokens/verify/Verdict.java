package dev.baton.cli.tokens.verify;

import java.util.List;

/**
 * What was found in a log.
 *
 * @param ranges how many there were
 * @param tokens in all of them
 * @param duplicates ranges that share a token with another one of their namespace (INV-12)
 * @param orderViolations requests of strict namespaces that were sent after another was answered, and got lower tokens
 *     (INV-13)
 * @param leasedOrderViolations the same in leased namespaces, which promise order only while clocks keep their rate
 *     (INV-15); told, but not judged
 * @param revisionDecreases answers with a lower revision than the same caller had seen before it asked
 * @param uncovered ranges that the ledger does not account for; 0 if it was not asked
 * @param forgotten ranges of which nobody can tell any more: older than what the ledger remembers; 0 if it was not asked
 * @param examples the first few of each, in words
 * @param doubts why it cannot be judged in full
 */
public record Verdict(
        long ranges,
        long tokens,
        long duplicates,
        long orderViolations,
        long leasedOrderViolations,
        long revisionDecreases,
        long uncovered,
        long forgotten,
        List<String> examples,
        List<String> doubts) {

    /** Passes only what was judged in full and is without a fault. */
    public enum Word {
        PASS,
        FAIL,
        UNKNOWN
    }

    public Verdict {
        examples = List.copyOf(examples);
        doubts = List.copyOf(doubts);
    }

    public Word word() {
        if (duplicates + orderViolations + revisionDecreases + uncovered > 0) {
            return Word.FAIL;
        }
        return doubts.isEmpty() ? Word.PASS : Word.UNKNOWN;
    }
}
