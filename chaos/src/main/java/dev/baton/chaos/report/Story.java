package dev.baton.chaos.report;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Outage;
import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.checker.Violation;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run in a sentence or two. */
final class Story {

    private Story() {}

    static String of(Account account, Judgement judgement) {
        return switch (judgement.verdict()) {
            case PASS -> work(account, judgement) + " Nothing was lost, nothing came twice, and at the end all agree.";
            case FAIL -> broken(account, judgement) + " " + work(account, judgement);
            case UNKNOWN ->
                "Nothing wrong was found, but not enough happened to call it a pass: "
                        + judgement.doubts().get(0) + ". " + work(account, judgement);
        };
    }

    private static String work(Account account, Judgement judgement) {
        long ok = account.operations().stream().filter(Operation::isOk).count();
        long kinds = account.faults().stream().map(FaultSpan::kind).distinct().count();
        long lasting = account.setting().map(Setting::lastingNanos).orElse(account.lastNanos());
        long changes = judgement.outages().stream().filter(Outage::newEpoch).count();
        return Html.count(judgement.faults()) + " faults of " + kinds + " kinds in " + Html.duration(lasting)
                + ", up to " + judgement.pressure().mostAtOnce() + " kinds at once; "
                + Html.count(judgement.commits()) + " commits and " + Html.count(ok) + " of "
                + Html.count(account.operations().size()) + " operations got through, " + Html.count(changes)
                + " changes of the holder, never longer than " + Html.duration(judgement.longestGapNanos())
                + " without a commit.";
    }

    private static String broken(Account account, Judgement judgement) {
        List<String> rules = new ArrayList<>();
        for (Map.Entry<Rule, Integer> each : judgement.counts().entrySet()) {
            rules.add(each.getKey().id() + (each.getValue() == 1 ? "" : " (" + Html.count(each.getValue()) + "×)"));
        }
        Violation first = judgement.violations().get(0);
        List<String> faults = account.faults().stream()
                .filter(each -> first.faults().contains(each.id()))
                .map(Story::name)
                .toList();
        return (rules.size() == 1 ? "A rule was broken: " : rules.size() + " rules were broken: ")
                + String.join(", ", rules) + ". It first showed at " + Html.moment(first.atNanos())
                + (faults.isEmpty() ? "." : ", under " + String.join(", ", faults) + ".");
    }

    /** A fault in a few words: {@code pause n1}. */
    static String name(FaultSpan fault) {
        return fault.targets().isEmpty()
                ? fault.kind().label()
                : fault.kind().label() + " " + String.join(" ", fault.targets());
    }
}
