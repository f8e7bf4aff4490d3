package dev.baton.chaos.report;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Outage;
import dev.baton.chaos.checker.Spread;
import dev.baton.chaos.checker.Violation;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Operation;
import dev.baton.chaos.history.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The whole page: the verdict first, then what was found, the timeline, the tables and how to repeat the run. */
final class Page {

    private final Account account;
    private final Judgement judgement;
    private final StringBuilder html = new StringBuilder(65_536);

    Page(Account account, Judgement judgement) {
        this.account = account;
        this.judgement = judgement;
    }

    String html() {
        String title = title();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>");
        html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
        html.append("<title>")
                .append(judgement.verdict())
                .append(": ")
                .append(Html.text(title))
                .append("</title>");
        html.append("<style>\n").append(style()).append("</style></head><body>\n");
        head(title);
        found();
        timeline();
        tables();
        repeat();
        html.append("</body></html>\n");
        return html.toString();
    }

    private String title() {
        return account.setting()
                .map(setting -> "chaos, " + setting.duty() + " on " + setting.authority() + ", seed " + setting.seed())
                .orElse("chaos, an unknown run");
    }

    private static String style() {
        try (InputStream css = Page.class.getResourceAsStream("report.css")) {
            if (css == null) {
                throw new IllegalStateException("report.css is missing from the program");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void head(String title) {
        String css = judgement.verdict().name().toLowerCase(Locale.ROOT);
        String sign = switch (judgement.verdict()) {
            case PASS -> "✓ ";
            case FAIL -> "✕ ";
            case UNKNOWN -> "? ";
        };
        html.append("<header><div class=\"verdict ").append(css).append("\">").append(sign);
        html.append(judgement.verdict()).append("</div><div><h1>").append(Html.text(capital(title)));
        html.append("</h1><p class=\"story\">").append(Html.text(Story.of(account, judgement)));
        html.append("</p></div></header>\n<ul class=\"tiles\">");
        long ok = account.operations().stream().filter(Operation::isOk).count();
        Spread waits = Spread.of(judgement.outages().stream()
                .flatMap(each -> each.cause().stream())
                .map(Outage.Cause::waitedNanos)
                .toList());
        tile(Html.count(judgement.faults()), "faults done");
        tile(Html.oneDecimal(judgement.pressure().perMinute()), "faults a minute");
        tile(Html.count(judgement.pressure().mostAtOnce()), "kinds of fault at once, at most");
        tile(Html.count(judgement.commits()), "commits");
        tile(Html.count(ok), "operations acknowledged");
        tile(Html.count(judgement.outages().stream().filter(Outage::newEpoch).count()), "changes of the holder");
        tile(waits.n() == 0 ? "none" : Html.duration(waits.p50Nanos()), "failover, median");
        tile(Html.duration(judgement.longestGapNanos()), "longest without a commit");
        html.append("</ul>\n");
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private void tile(String number, String words) {
        html.append("<li><b>").append(number).append("</b><span>").append(words).append("</span></li>");
    }

    private void found() {
        List<Violation> violations = judgement.violations();
        if (!violations.isEmpty()) {
            html.append("<h2>What was found</h2><ol class=\"violations\">\n");
            for (int i = 0; i < violations.size(); i++) {
                violation(i + 1, violations.get(i));
            }
            html.append("</ol>\n");
            int more = judgement.violationCount() - violations.size();
            if (more > 0) {
                html.append("<p class=\"soft\">").append(Html.count(more)).append(" more of the same rules.</p>\n");
            }
        }
        if (!judgement.doubts().isEmpty()) {
            html.append("<h2>What is missing</h2><ul class=\"doubts\">");
            judgement.doubts().stream()
                    .limit(50)
                    .forEach(each -> html.append("<li>").append(Html.text(each)).append("</li>"));
            html.append("</ul>\n");
        }
    }

    private void violation(int number, Violation violation) {
        html.append("<li id=\"violation-")
                .append(number)
                .append("\"><b>")
                .append(number)
                .append(". <code>");
        html.append(violation.rule().id()).append("</code> at ").append(Html.moment(violation.atNanos()));
        html.append("</b><br/>").append(Html.text(violation.text())).append("<br/><span class=\"soft\">");
        html.append("The rule: ").append(Html.text(violation.rule().promise())).append('.');
        if (!violation.ops().isEmpty()) {
            html.append(list(" Operation", violation.ops()));
        }
        if (!violation.heights().isEmpty()) {
            html.append(list(" Height", violation.heights()));
        }
        if (!violation.faults().isEmpty()) {
            html.append(" Faults then:");
            violation
                    .faults()
                    .forEach(each -> html.append(" <a href=\"#fault-")
                            .append(each)
                            .append("\">")
                            .append(each)
                            .append("</a>"));
            html.append('.');
        }
        html.append("</span></li>\n");
    }

    private static String list(String word, List<Long> numbers) {
        List<String> few =
                numbers.stream().distinct().limit(8).map(String::valueOf).toList();
        return word + (few.size() == 1 ? " " : "s ") + String.join(", ", few) + ".";
    }

    private void timeline() {
        html.append("<h2>What happened</h2>\n<div class=\"legend\">");
        for (String standing : List.of("leader", "promoting", "quiescing", "follower", "fenced", "paused", "down")) {
            legend(standing, standing);
        }
        html.append("</div><div class=\"legend\"><span>Faults on</span>");
        for (FaultFamily family : FaultFamily.values()) {
            legend(family.css(), family.words());
        }
        html.append("</div><div class=\"legend\"><span>Answers</span>");
        legend("ok", "acknowledged");
        legend("refused", "refused");
        legend("lost", "unknown");
        html.append("<span>line: median, band: up to the 95th percentile</span></div>\n");
        html.append(new Timeline(account, judgement).html());
        html.append("<p class=\"soft\">Nodes are coloured by what they said of themselves; the verdict does not rest on"
                + " that. Ticks are commits; blocks have one in the lane of the node that made them, too. What was found"
                + " after the end is flagged at the end.</p>\n");
    }

    private void legend(String css, String words) {
        html.append("<span><i class=\"")
                .append(css)
                .append("\"></i>")
                .append(words)
                .append("</span>");
    }

    private void tables() {
        Tables tables = new Tables(account, judgement);
        html.append("<div class=\"pair\"><section><h2>How long clients waited, by fault</h2>\n");
        html.append(tables.failovers())
                .append(
                        "<p class=\"soft\">From the fault to the first commit that was not possible"
                                + " before. Faults overlap: each wait is put down to the one that began nearest to it.</p></section>\n");
        html.append("<section><h2>Faults by kind</h2>\n").append(tables.kinds()).append("</section></div>\n");
        html.append("<h2>Operations</h2>\n").append(tables.operations());
        html.append("<h2>Rules</h2>\n").append(tables.rules());
        html.append("<h2>Every fault</h2>\n").append(tables.faults());
    }

    private void repeat() {
        html.append("<h2>Repeat this run</h2>\n");
        account.setting().ifPresent(this::repeat);
    }

    private void repeat(Setting setting) {
        html.append("<pre>").append(Html.text(setting.command())).append("</pre><p class=\"soft\">");
        html.append("Seed ").append(setting.seed()).append(", commit ").append(Html.text(setting.commit()));
        html.append(", begun ").append(Html.text(setting.startedAt())).append(", on ");
        html.append(Html.text(setting.machine()))
                .append(". Nodes ")
                .append(Html.text(String.join(", ", setting.nodes())));
        if (!setting.engines().isEmpty()) {
            html.append("; engine servers ").append(Html.text(String.join(", ", setting.engines())));
        }
        html.append(". The same seed gives the same schedule of faults; what they meet is as real as the first"
                + " time.</p>\n");
    }
}
