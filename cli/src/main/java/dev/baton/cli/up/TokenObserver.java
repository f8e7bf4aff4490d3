package dev.baton.cli.up;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds the tokens that one caller got, one after the other, against each other. Thread-safe. */
final class TokenObserver {

    private static final int MOST_FINDINGS = 20;

    private final Set<Long> epochs = new HashSet<>();
    private final List<String> findings = new ArrayList<>();
    private long tokens;
    private long repeats;
    private long failures;
    private long highest;
    private long sinceFailures;

    /**
     * What was seen so far.
     *
     * @param repeats tokens that were not above all before
     * @param failures requests without an answer; those at a change of holder are no fault
     */
    record Tokens(long tokens, long repeats, long failures, long terms, boolean answered, List<String> findings)
            implements Tally {
        @Override
        public boolean passed() {
            return tokens > 0 && repeats == 0 && answered;
        }

        @Override
        public Map<String, Long> counts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("tokens", tokens);
            counts.put("repeats", repeats);
            counts.put("failures", failures);
            counts.put("terms", terms);
            return counts;
        }
    }

    /** The caller got this token after all that it got before. */
    synchronized void got(long token) {
        tokens++;
        sinceFailures = 0;
        if (token <= highest) {
            repeats++;
            note("repeat: token " + token + " after token " + highest);
        }
        highest = Math.max(highest, token);
    }

    synchronized void failed(String why) {
        failures++;
        sinceFailures++;
        note("no answer: " + why);
    }

    /** Somebody holds this epoch. */
    synchronized void term(long epoch) {
        epochs.add(epoch);
    }

    private void note(String finding) {
        if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
        }
    }

    synchronized Tokens tally() {
        return new Tokens(tokens, repeats, failures, epochs.size(), sinceFailures == 0, List.copyOf(findings));
    }
}
