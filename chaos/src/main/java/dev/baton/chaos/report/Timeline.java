package dev.baton.chaos.report;

import dev.baton.chaos.checker.Commits;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Outage;
import dev.baton.chaos.checker.Violation;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.FaultSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The run along the time: faults on top, a lane per node, commits, then what clients felt. */
final class Timeline {

    private static final long SECOND = 1_000_000_000L;
    private static final double BAND = 17;

    private final Account account;
    private final Judgement judgement;
    private final Commits commits;
    private final NodeLanes nodes;
    private final ClientChart clients;

    Timeline(Account account, Judgement judgement) {
        this.account = account;
        this.judgement = judgement;
        this.commits = Commits.of(account);
        this.nodes = new NodeLanes(account);
        this.clients = new ClientChart(account.operations());
    }

    /** All panels as figures. */
    String html() {
        StringBuilder html = new StringBuilder();
        List<Panel> panels = panels();
        for (Panel panel : panels) {
            String label = "from " + Html.moment(panel.fromNanos()) + " to " + Html.moment(panel.toNanos());
            Drawing drawing = draw(panel, panel.equals(panels.getLast()));
            html.append("<figure>").append(drawing.finished(label)).append("</figure>\n");
        }
        return html.toString();
    }

    private List<Panel> panels() {
        long lasting = Math.max(
                SECOND, account.setting().map(each -> each.lastingNanos()).orElse(account.lastNanos()));
        long length = lasting;
        for (long seconds : new long[] {10, 20, 30, 60, 120, 300, 600, 1_800, 3_600}) {
            if (lasting <= seconds * SECOND || (seconds >= 30 && lasting <= seconds * SECOND * 8)) {
                length = seconds * SECOND;
                break;
            }
        }
        List<Panel> panels = new ArrayList<>();
        for (long from = 0; from < lasting; from += length) {
            panels.add(new Panel(from, from + length));
        }
        return panels;
    }

    /** What was found after the end of the run, when stores and engines were read, is flagged at the end of the last. */
    private Drawing draw(Panel panel, boolean last) {
        Drawing drawing = new Drawing();
        List<Violation> found = judgement.violations().stream()
                .filter(each -> panel.shows(each.atNanos()) || (last && each.atNanos() >= panel.toNanos()))
                .toList();
        double flags = drawing.takeRoom(found.isEmpty() ? 0 : 22);
        double top = drawing.height();
        axis(drawing, panel);
        faults(drawing, panel);
        nodes.draw(drawing, panel);
        commits(drawing, panel);
        clients.draw(drawing, panel);
        double bottom = drawing.height();
        drawing.takeRoom(4);
        flags(drawing, panel, found, flags, top, bottom);
        return drawing;
    }

    private void axis(Drawing drawing, Panel panel) {
        double y = drawing.takeRoom(18);
        long length = panel.toNanos() - panel.fromNanos();
        long step = Math.max(1, length / SECOND / 10) * SECOND;
        for (long at = panel.fromNanos(); at <= panel.toNanos(); at += step) {
            String label = clock(at);
            double x = panel.x(at);
            boolean last = at + step > panel.toNanos();
            drawing.text("", last ? x - Drawing.widthOf(label) : x, y + 11, label);
        }
    }

    private static String clock(long nanos) {
        long seconds = nanos / SECOND;
        return seconds < 120 ? seconds + " s" : seconds / 60 + ":" + String.format(Locale.ROOT, "%02d", seconds % 60);
    }

    /** Vertical lines for the eye, drawn behind the contents of a lane. */
    static void grid(Drawing drawing, Panel panel, double y, double tall) {
        long length = panel.toNanos() - panel.fromNanos();
        long step = Math.max(1, length / SECOND / 10) * SECOND;
        StringBuilder path = new StringBuilder();
        for (long at = panel.fromNanos(); at <= panel.toNanos(); at += step) {
            path.append('M').append(Html.pixels(panel.x(at))).append(' ').append(Html.pixels(y));
            path.append('v').append(Html.pixels(tall));
        }
        drawing.path("grid", path);
    }

    /** Bands lie below each other where they, or their names, would overlap: each in the first row with room. */
    private void faults(Drawing drawing, Panel panel) {
        List<FaultSpan> shown = account.faults().stream()
                .filter(each -> panel.shows(each.beganNanos(), each.endedNanos()))
                .toList();
        List<Double> rowEnds = new ArrayList<>();
        List<Integer> rows = new ArrayList<>();
        for (FaultSpan each : shown) {
            double from = Math.min(panel.x(each.beganNanos()), labelX(panel, each));
            int row = 0;
            while (row < rowEnds.size() && rowEnds.get(row) > from) {
                row++;
            }
            double end = Math.max(panel.x(each.endedNanos()), labelX(panel, each) + Drawing.widthOf(label(each))) + 4;
            if (row == rowEnds.size()) {
                rowEnds.add(end);
            } else {
                rowEnds.set(row, end);
            }
            rows.add(row);
        }
        double tall = Math.max(1, rowEnds.size()) * (BAND + 3);
        double y = drawing.takeRoom(tall + 8);
        grid(drawing, panel, y, tall);
        drawing.text("name", Panel.LEFT - 10, y + 13, "faults");
        for (int i = 0; i < shown.size(); i++) {
            band(drawing, panel, shown.get(i), y + rows.get(i) * (BAND + 3));
        }
    }

    private static String label(FaultSpan fault) {
        return fault.id() + " " + Story.name(fault);
    }

    /** The name begins with the band, or ends before it where it would leave the page. */
    private static double labelX(Panel panel, FaultSpan fault) {
        double x = panel.x(fault.beganNanos());
        double width = Drawing.widthOf(label(fault));
        return x + 6 + width <= Panel.RIGHT + 4 ? x + 6 : x - width - 4;
    }

    private static void band(Drawing drawing, Panel panel, FaultSpan fault, double y) {
        double x = panel.x(fault.beganNanos());
        double width = Math.max(panel.x(fault.endedNanos()) - x, 3);
        String css = "f-" + FaultFamily.of(fault.kind()).css() + (fault.failed().isPresent() ? " failed" : "");
        String title = "fault " + label(fault) + " " + fault.parameters() + ", from " + Html.moment(fault.beganNanos())
                + (fault.isOver() ? " for " + Html.duration(fault.endedNanos() - fault.beganNanos()) : " to the end")
                + fault.failed().map(why -> "; failed: " + why).orElse("");
        drawing.link("fault-" + fault.id(), () -> {
            drawing.box(css + " tint", x, y, width, BAND, title);
            drawing.box(css, x, y, 3, BAND, "");
            drawing.text("label", labelX(panel, fault), y + 12.5, label(fault));
        });
    }

    private void commits(Drawing drawing, Panel panel) {
        double y = drawing.takeRoom(30);
        drawing.box("lane", Panel.LEFT, y, Panel.RIGHT - Panel.LEFT, 22, "");
        drawing.text("name", Panel.LEFT - 10, y + 15, "commits");
        for (Outage each : judgement.outages()) {
            if (panel.shows(each.fromNanos(), each.toNanos())) {
                double x = panel.x(each.fromNanos());
                double width = panel.x(each.toNanos()) - x;
                String label = Html.duration(each.toNanos() - each.fromNanos());
                String title = label + " without a commit" + (each.newEpoch() ? ", then another holder" : "")
                        + each.cause()
                                .map(cause -> "; put down to fault " + cause.fault() + " ("
                                        + cause.kind().label() + ")")
                                .orElse("");
                drawing.box("outage", x, y, width, 22, title);
                if (Drawing.widthOf(label) < width) {
                    drawing.text("outage-label", x + width / 2, y + 15, label);
                }
            }
        }
        StringBuilder ticks = new StringBuilder();
        long height = 0;
        double last = -1;
        for (Commits.Sign each : commits.signs()) {
            boolean isNew = each.height() == 0 || each.height() > height; // rows of a database have no height
            height = Math.max(height, each.height());
            double x = panel.x(each.atNanos());
            if (isNew && panel.shows(each.atNanos()) && x - last >= 0.8) {
                ticks.append('M')
                        .append(Html.pixels(x))
                        .append(' ')
                        .append(Html.pixels(y + 4))
                        .append("v14");
                last = x;
            }
        }
        drawing.path("tick", ticks);
    }

    private void flags(Drawing drawing, Panel panel, List<Violation> found, double flagTop, double top, double bottom) {
        double last = -100;
        for (Violation each : found) {
            int number = judgement.violations().indexOf(each) + 1;
            double x = panel.x(each.atNanos());
            drawing.path("violation", "M" + Html.pixels(x) + " " + Html.pixels(top) + "V" + Html.pixels(bottom));
            double flag = Math.min(x, Panel.WIDTH - 10); // whole, also at the edge
            if (flag - last >= 22) {
                drawing.link("violation-" + number, () -> {
                    drawing.box(
                            "flag", flag - 10, flagTop + 2, 20, 17, each.rule().id() + ": " + each.text());
                    drawing.text("flag-label", flag, flagTop + 14.5, Integer.toString(number));
                });
                last = flag;
            }
        }
    }
}
