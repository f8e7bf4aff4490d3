package dev.baton.authority.tck;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** How long a test waits for something that must happen. Machines are noisy, and nothing here measures speed. */
record Patience(Duration limit) {

    private static final Duration POLL = Duration.ofMillis(20);

    /** Asks again and again until an answer is of the expected kind. */
    <R> R until(String expectation, Supplier<R> question, Predicate<R> expected) {
        R first = question.get();
        if (expected.test(first)) {
            return first; // mostly so; Awaitility would start a thread for it
        }
        return Awaitility.await(expectation)
                .atMost(limit)
                .pollDelay(POLL)
                .pollInterval(POLL)
                .until(question::get, expected);
    }
}
