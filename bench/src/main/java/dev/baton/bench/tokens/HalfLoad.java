package dev.baton.bench.tokens;

import dev.baton.bench.load.LoadReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What callers saw at half load, and what the authority took for its commits meanwhile. */
record HalfLoad(LoadReport seen, CommitTimes commits) {

    double overCommitP99() {
        return seen.p99Micros() / commits.microsAt(0.99);
    }

    static double medianOverCommitP99(List<HalfLoad> rounds) {
        return Rounds.rounded(
                Rounds.median(rounds.stream().map(HalfLoad::overCommitP99).toList()));
    }

    /** In words, if there was any. */
    Optional<String> failure() {
        return seen.failed() == 0
                ? Optional.empty()
                : Optional.of("half load, " + seen.arm() + ": " + seen.failed() + " failed, the last by "
                        + seen.failure() + " (expected: none)");
    }

    Map<String, Object> summary() {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("askedPerSecond", Math.round(seen.opsPerSecond()));
        summary.put("p50Micros", Rounds.rounded(seen.p50Micros()));
        summary.put("p99Micros", Rounds.rounded(seen.p99Micros()));
        summary.put("commits", Math.round(commits.count()));
        summary.put("commitP50Micros", Rounds.rounded(commits.microsAt(0.5)));
        summary.put("commitP99Micros", Rounds.rounded(commits.microsAt(0.99)));
        return summary;
    }
}
