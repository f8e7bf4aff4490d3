package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.history.Request;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Whether work went on, and whether enough happened to say anything at all. */
final class ProgressRules {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final Account account;
    private final Commits commits;
    private final Bounds bounds;
    private final Findings findings;
    private final List<String> doubts = new ArrayList<>();

    ProgressRules(Account account, Commits commits, Bounds bounds, Findings findings) {
        this.account = account;
        this.commits = commits;
        this.bounds = bounds;
        this.findings = findings;
    }

    void check() {
        checkWholeness();
        checkFaults();
        checkRecovery();
        checkRate();
    }

    /** Why the run cannot be called passed, although nothing was found. */
    List<String> doubts() {
        return doubts;
    }

    private void checkWholeness() {
        doubts.addAll(account.flaws());
        if (account.begun().isEmpty()) {
            doubts.add("the journal does not say what was run");
        }
        if (account.ended().isEmpty()) {
            doubts.add("the run did not come to its end");
        }
        account.ended()
                .filter(ended -> !ended.complete())
                .ifPresent(ended -> doubts.add("the run was not completed: " + ended.why()));
        if (account.operations().isEmpty()) {
            doubts.add("no client asked for anything");
        }
        if ((asked(Request.Submit.class) || asked(Request.Follow.class))
                && account.stores().isEmpty()) {
            doubts.add("no store was read at the end");
        }
        if (asked(Request.Offer.class)
                && (account.pools().isEmpty() || account.stores().isEmpty())) {
            doubts.add("the pool or every store was not read at the end");
        }
        if (asked(Request.Write.class) && account.rows().isEmpty()) {
            doubts.add("no database was read at the end");
        }
        if (asked(Request.Watch.class)
                && account.operations().stream().noneMatch(each -> each.answer() instanceof Answer.Made)) {
            doubts.add("no sequencer was seen making blocks");
        }
        // Where blocks are made beside, stores tell enough.
        if (asked(Request.Next.class)
                && !asked(Request.Submit.class)
                && account.tokens().isEmpty()) {
            doubts.add("no node told at the end where tokens went");
        }
        List<String> engines = account.setting().map(Setting::engines).orElse(List.of());
        List<String> unread = engines.stream()
                .filter(each -> !account.ledgers().containsKey(each))
                .toList();
        if (!unread.isEmpty()) {
            doubts.add("of " + engines.size() + " engine servers " + (engines.size() - unread.size())
                    + " were read at the end, not " + String.join(", ", unread) + " (expected: all)");
        }
    }

    /** What clients asked for decides what has to be read at the end. */
    private boolean asked(Class<? extends Request> kind) {
        return account.operations().stream().anyMatch(each -> kind.isInstance(each.request()));
    }

    private void checkFaults() {
        long done = account.faults().stream()
                .filter(each -> each.failed().isEmpty())
                .count();
        int planned = account.begun().map(begun -> begun.plan().size()).orElse(0);
        if (done < bounds.fewestFaults() || done * 2 < planned) {
            doubts.add(done + " faults were done, " + planned + " were planned (expected: half of them, and "
                    + bounds.fewestFaults() + " or more)");
        }
        long open = account.faults().stream().filter(each -> !each.isOver()).count();
        if (open > 0) {
            doubts.add(open + " faults were still in force at the end");
        }
    }

    private void checkRecovery() {
        OptionalLong lastEnd = account.faults().stream()
                .filter(FaultSpan::isOver)
                .mapToLong(FaultSpan::endedNanos)
                .max();
        if (lastEnd.isEmpty()) {
            return;
        }
        long from = lastEnd.getAsLong();
        long until = from + bounds.recovery().toNanos();
        OptionalLong first = commits.signs().stream()
                .mapToLong(Commits.Sign::atNanos)
                .filter(at -> at > from)
                .findFirst();
        if (first.isPresent() && first.getAsLong() <= until) {
            return;
        }
        if (first.isEmpty() && account.lastNanos() < until) {
            doubts.add("the run was watched for " + millis(account.lastNanos() - from)
                    + " ms after the last fault, without a commit (expected: "
                    + bounds.recovery().toMillis() + " ms)");
            return;
        }
        String found = first.isPresent() ? "only after " + millis(first.getAsLong() - from) + " ms" : "never";
        findings.add(
                Rule.RECOVERY,
                until,
                "the first commit after the last fault came " + found + " (expected: within "
                        + bounds.recovery().toMillis() + " ms)",
                List.of(),
                List.of());
    }

    private void checkRate() {
        if (account.operations().isEmpty()) {
            return;
        }
        long measured = Pressure.lastingNanos(account);
        long fewest = (long) ((double) measured / MINUTE_NANOS * bounds.fewestPerMinute());
        long acknowledged =
                account.operations().stream().filter(each -> each.isOk()).count();
        if (commits.heights() < fewest || acknowledged < fewest) {
            findings.add(
                    Rule.PROGRESS,
                    account.lastNanos(),
                    "in " + millis(measured) + " ms " + commits.heights() + " heights were committed and "
                            + acknowledged + " operations acknowledged (expected: " + fewest + " or more of each)",
                    List.of(),
                    List.of());
        }
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
