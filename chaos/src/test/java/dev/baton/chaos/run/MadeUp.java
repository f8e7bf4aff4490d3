package dev.baton.chaos.run;

import dev.baton.chaos.SyntheticRun;
import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Outcomes of runs that never were. */
final class MadeUp {

    static final List<Event> CLEAN = SyntheticRun.small();

    private MadeUp() {}

    static ChaosRun.Outcome passed() {
        return of(CLEAN);
    }

    /** A node did not show its store: a FAIL by {@code agreement}. */
    static ChaosRun.Outcome failedByAgreement() {
        return of(CLEAN.stream()
                .filter(event -> !(event instanceof Event.FinalStore store
                        && store.source().equals("n1")))
                .toList());
    }

    /** Nothing was acknowledged: a FAIL by {@code progress}. */
    static ChaosRun.Outcome failedByProgress() {
        return of(CLEAN.stream()
                .map(event -> event instanceof Event.Answered a
                        ? new Event.Answered(a.atNanos(), a.op(), new Answer.Unknown("timeout"))
                        : event)
                .toList());
    }

    static ChaosRun.Outcome interrupted() {
        return of(Stream.concat(
                        CLEAN.stream().filter(event -> !(event instanceof Event.Ended)),
                        Stream.of(new Event.Ended(1, false, "it was interrupted")))
                .toList());
    }

    private static ChaosRun.Outcome of(List<Event> events) {
        Account account = Account.of(events);
        return new ChaosRun.Outcome(account, Judge.judge(account, Bounds.usual()), Path.of("report.html"));
    }
}
