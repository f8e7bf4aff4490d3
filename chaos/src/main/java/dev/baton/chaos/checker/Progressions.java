package dev.baton.chaos.checker;

import dev.baton.chaos.history.Answer;
import java.util.Optional;

/** Arithmetic of token ranges: {@code start}, {@code start + step} … {@code end}. */
final class Progressions {

    private Progressions() {}

    /** The lowest token that is in both. */
    static Optional<Long> firstCommon(Answer.Issued one, Answer.Issued other) {
        long from = Math.max(one.start(), other.start());
        long to = Math.min(one.end(), other.end());
        boolean oneIsWide = one.step() >= other.step();
        Answer.Issued wide = oneIsWide ? one : other;
        Answer.Issued narrow = oneIsWide ? other : one;
        // Walk the wide steps: after as many as the narrow step counts, remainders repeat.
        long token = wide.start() + Math.ceilDiv(from - wide.start(), wide.step()) * wide.step();
        for (long tried = 0; tried < narrow.step() && token <= to; tried++, token += wide.step()) {
            if ((token - narrow.start()) % narrow.step() == 0) {
                return Optional.of(token);
            }
        }
        return Optional.empty();
    }
}
