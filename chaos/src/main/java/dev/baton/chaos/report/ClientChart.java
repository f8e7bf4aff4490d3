package dev.baton.chaos.report;

import dev.baton.chaos.checker.Spread;
import dev.baton.chaos.history.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** What clients felt: how long answers took, on a log scale, and how many requests went wrong. */
final class ClientChart {

    private static final double TALL = 96;
    private static final double ERRORS = 26;
    private static final int BINS = 60;
    private static final double LEAST_MILLIS = 0.1;
    private static final double MOST_MILLIS = 10_000;

    private final List<Operation> operations;

    ClientChart(List<Operation> operations) {
        this.operations = operations.stream().filter(Operation::isAnswered).toList();
    }

    void draw(Drawing drawing, Panel panel) {
        List<Operation> shown = operations.stream()
                .filter(each -> panel.shows(each.invokedNanos()))
                .toList();
        double y = drawing.takeRoom(TALL + 10);
        drawing.text("name", Panel.LEFT - 10, y + 8, "latency");
        Timeline.grid(drawing, panel, y, TALL);
        for (int millis : new int[] {1, 10, 100, 1_000, 10_000}) {
            double line = y + fromTop(millis * 1_000_000L);
            drawing.path(
                    "grid", "M" + Html.pixels(Panel.LEFT) + " " + Html.pixels(line) + "H" + Html.pixels(Panel.RIGHT));
            if (millis < 10_000) {
                drawing.text(
                        "head", Panel.LEFT - 10, line + 4, millis < 1_000 ? millis + " ms" : millis / 1_000 + " s");
            }
        }
        percentiles(drawing, panel, shown, y);
        dots(drawing, panel, shown, y);
        errors(drawing, panel, shown);
    }

    private static double fromTop(long nanos) {
        double millis = Math.max(LEAST_MILLIS, Math.min(MOST_MILLIS, nanos / 1e6));
        double share = Math.log10(millis / LEAST_MILLIS) / Math.log10(MOST_MILLIS / LEAST_MILLIS);
        return TALL * (1 - share);
    }

    /** Dots that would lie on each other are drawn once: a long run has more of them than a screen. */
    private static void dots(Drawing drawing, Panel panel, List<Operation> shown, double y) {
        StringBuilder ok = new StringBuilder();
        StringBuilder refused = new StringBuilder();
        StringBuilder lost = new StringBuilder();
        Set<String> drawn = new HashSet<>();
        for (Operation each : shown) {
            StringBuilder path = switch (each.answer().outcome()) {
                case OK -> ok;
                case REFUSED -> refused;
                case UNKNOWN -> lost;
            };
            String dot = "M" + Math.round(panel.x(each.invokedNanos())) + " "
                    + Math.round(y + fromTop(each.latencyNanos())) + "h0";
            if (drawn.add(each.answer().outcome() + dot)) {
                path.append(dot);
            }
        }
        drawing.path("dots ok", ok);
        drawing.path("dots refused", refused);
        drawing.path("dots lost", lost);
    }

    private static int bin(Panel panel, Operation operation) {
        long inside = operation.invokedNanos() - panel.fromNanos();
        return (int) (inside * BINS / (panel.toNanos() - panel.fromNanos()));
    }

    private static double middle(int bin) {
        return Panel.LEFT + (Panel.RIGHT - Panel.LEFT) * (bin + 0.5) / BINS;
    }

    /** The median as a line, up to the 95th percentile as a band. */
    private static void percentiles(Drawing drawing, Panel panel, List<Operation> shown, double y) {
        TreeMap<Integer, List<Long>> bins = new TreeMap<>();
        for (Operation each : shown) {
            if (each.isOk()) {
                bins.computeIfAbsent(bin(panel, each), b -> new ArrayList<>()).add(each.latencyNanos());
            }
        }
        StringBuilder median = new StringBuilder();
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        bins.forEach((bin, nanos) -> {
            Spread spread = Spread.of(nanos);
            String x = Html.pixels(middle(bin));
            String p50 = x + " " + Html.pixels(y + fromTop(spread.p50Nanos()));
            median.append(median.isEmpty() ? "M" : "L").append(p50);
            upper.append(upper.isEmpty() ? "M" : "L").append(x).append(' ');
            upper.append(Html.pixels(y + fromTop(spread.p95Nanos())));
            lower.insert(0, "L" + p50);
        });
        if (bins.size() > 1) {
            drawing.path("band", upper.append(lower).append('Z'));
            drawing.path("median", median);
        }
    }

    private static void errors(Drawing drawing, Panel panel, List<Operation> shown) {
        double y = drawing.takeRoom(ERRORS + 4);
        drawing.text("name", Panel.LEFT - 10, y + 16, "errors");
        int[] refused = new int[BINS];
        int[] lost = new int[BINS];
        int most = 1;
        for (Operation each : shown) {
            int bin = bin(panel, each);
            switch (each.answer().outcome()) {
                case OK -> {}
                case REFUSED -> refused[bin]++;
                case UNKNOWN -> lost[bin]++;
            }
            most = Math.max(most, refused[bin] + lost[bin]);
        }
        double width = (Panel.RIGHT - Panel.LEFT) / BINS - 1;
        for (int bin = 0; bin < BINS; bin++) {
            double x = middle(bin) - width / 2;
            double lostTall = ERRORS * lost[bin] / most;
            double refusedTall = ERRORS * refused[bin] / most;
            if (lost[bin] > 0) {
                drawing.box("bar lost", x, y + ERRORS - lostTall, width, lostTall, lost[bin] + " without an answer");
            }
            if (refused[bin] > 0) {
                double top = y + ERRORS - lostTall - refusedTall;
                drawing.box("bar refused", x, top, width, refusedTall, refused[bin] + " refused");
            }
        }
        drawing.path(
                "frame",
                "M" + Html.pixels(Panel.LEFT) + " " + Html.pixels(y + ERRORS) + "H" + Html.pixels(Panel.RIGHT));
    }
}
