package dev.baton.chaos.report;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Outage;
import dev.baton.chaos.checker.Rule;
import dev.baton.chaos.checker.Spread;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Answer.Outcome;
import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.FaultSpan;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables below the timeline. */
final class Tables {

    private final Account account;
    private final Judgement judgement;

    Tables(Account account, Judgement judgement) {
        this.account = account;
        this.judgement = judgement;
    }

    /** A head cell that begins with this stands over numbers. */
    private static final String NUMBER = "#";

    private static String table(List<String> heads, List<List<String>> rows) {
        StringBuilder html = new StringBuilder("<div class=\"wide\"><table><thead><tr>");
        for (String head : heads) {
            boolean number = head.startsWith(NUMBER);
            html.append(number ? "<th class=\"num\">" : "<th>");
            html.append(Html.text(number ? head.substring(1) : head)).append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                html.append(heads.get(i).startsWith(NUMBER) ? "<td class=\"num\">" : "<td>");
                html.append(row.get(i)).append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    String rules() {
        List<List<String>> rows = new ArrayList<>();
        for (Rule rule : Rule.values()) {
            int count = judgement.counts().getOrDefault(rule, 0);
            rows.add(List.of(
                    count == 0
                            ? "<span class=\"mark good\">✓</span>"
                            : "<span class=\"mark bad\">✕ " + Html.count(count) + "</span>",
                    "<code>" + rule.id() + "</code>",
                    Html.text(rule.promise())));
        }
        return table(List.of("", "rule", "what must hold"), rows);
    }

    String failovers() {
        if (judgement.failovers().isEmpty()) {
            return "<p class=\"soft\">No fault kept clients waiting.</p>";
        }
        List<List<String>> rows = new ArrayList<>();
        judgement.failovers().forEach((kind, spread) -> rows.add(row(kind.label(), spread)));
        List<Long> all = judgement.outages().stream()
                .flatMap(each -> each.cause().stream())
                .map(Outage.Cause::waitedNanos)
                .toList();
        rows.add(row("all", Spread.of(all)));
        return table(List.of("fault", "#n", "#p50", "#p95", "#max"), rows);
    }

    private static List<String> row(String name, Spread spread) {
        return List.of(
                Html.text(name),
                Html.count(spread.n()),
                Html.duration(spread.p50Nanos()),
                Html.duration(spread.p95Nanos()),
                Html.duration(spread.maxNanos()));
    }

    String kinds() {
        Map<FaultKind, Integer> planned = new HashMap<>();
        for (PlannedFault each : account.begun().map(Event.Begun::plan).orElse(List.of())) {
            planned.merge(each.kind(), 1, Integer::sum);
        }
        List<List<String>> rows = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            long done = account.faults().stream()
                    .filter(each -> each.kind() == kind && each.failed().isEmpty())
                    .count();
            long felt = judgement.outages().stream()
                    .flatMap(each -> each.cause().stream())
                    .filter(cause -> cause.kind() == kind)
                    .count();
            if (done > 0 || planned.containsKey(kind)) {
                rows.add(List.of(
                        Html.text(kind.label()),
                        Html.count(planned.getOrDefault(kind, 0)),
                        Html.count(done),
                        Html.count(felt)));
            }
        }
        return table(List.of("fault", "#planned", "#done", "#stopped work"), rows);
    }

    String operations() {
        List<List<String>> rows = new ArrayList<>();
        Latencies.byKind(account.operations())
                .forEach((kind, latencies) -> rows.add(List.of(
                        "<code>" + Html.text(kind) + "</code>",
                        Html.count(latencies.count(Outcome.OK)),
                        Html.count(latencies.count(Outcome.REFUSED)),
                        Html.count(latencies.count(Outcome.UNKNOWN)),
                        Html.duration(latencies.ok().p50Nanos()),
                        Html.duration(latencies.ok().p95Nanos()),
                        Html.duration(latencies.ok().p99Nanos()),
                        Html.duration(latencies.ok().maxNanos()))));
        return table(
                List.of("operation", "#acknowledged", "#refused", "#unknown", "#p50", "#p95", "#p99", "#max"), rows);
    }

    String faults() {
        Map<Integer, String> waits = new HashMap<>();
        judgement
                .outages()
                .forEach(outage -> outage.cause()
                        .ifPresent(cause -> waits.merge(
                                cause.fault(), Html.duration(cause.waitedNanos()), (a, b) -> a + ", " + b)));
        List<List<String>> rows = new ArrayList<>();
        for (FaultSpan each : account.faults()) {
            rows.add(List.of(
                    "<span id=\"fault-" + each.id() + "\">" + each.id() + "</span>",
                    Html.moment(each.beganNanos()),
                    each.isOver() ? Html.duration(each.endedNanos() - each.beganNanos()) : "to the end",
                    Html.text(each.kind().label()),
                    Html.text(String.join(", ", each.targets())),
                    Html.text(parameters(each)),
                    waits.getOrDefault(each.id(), "")));
        }
        account.faultsNotDone().forEach(each -> rows.add(notDone(each)));
        return table(List.of("#no.", "#at", "#for", "fault", "target", "details", "#clients waited"), rows);
    }

    /** What it was to be stands in the plan. */
    private List<String> notDone(Event.FaultFailed failed) {
        Optional<PlannedFault> planned = account.begun().stream()
                .flatMap(begun -> begun.plan().stream())
                .filter(each -> each.id() == failed.fault())
                .findFirst();
        return List.of(
                "<span id=\"fault-" + failed.fault() + "\">" + failed.fault() + "</span>",
                Html.moment(failed.atNanos()),
                "not done",
                Html.text(planned.map(each -> each.kind().label()).orElse("")),
                Html.text(planned.map(each -> String.join(", ", each.targets())).orElse("")),
                Html.text(failed.why()),
                "");
    }

    private static String parameters(FaultSpan fault) {
        List<String> all = new ArrayList<>();
        fault.parameters().forEach((name, value) -> all.add(words(name, value)));
        fault.failed().ifPresent(why -> all.add("failed: " + why));
        return String.join(", ", all);
    }

    /** {@code delayMillis 20} as people write it: {@code delay 20 ms}. */
    private static String words(String name, String value) {
        if (name.endsWith("Millis")) {
            return name.substring(0, name.length() - "Millis".length()) + " " + value + " ms";
        }
        if (name.endsWith("Percent")) {
            return name.substring(0, name.length() - "Percent".length()) + " " + value + " %";
        }
        return switch (name) {
            case "bytesPerSecond" -> value + " bytes a second";
            case "afterBytes" -> "after " + value + " bytes";
            case "oneInBytes" -> "one in " + value + " bytes";
            case "ratePermille" -> "rate " + value + " ‰";
            case "link" -> value.toLowerCase(Locale.ROOT).replace('_', ' ') + " link";
            default -> name + " " + value;
        };
    }
}
