package dev.baton.chaos.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.checker.Judgement.Verdict;

/** What came of every run of a matrix: a table for people, a line for programs, and the worst of all verdicts. */
final class MatrixTable {

    private static final String ROW = "%-10s %-10s %6s  %-8s %7s %8s %11s %14s%n";

    private final StringBuilder text = new StringBuilder(
            ROW.formatted("authority", "duty", "seed", "verdict", "faults", "commits", "violations", "longest gap ms"));
    private final ArrayNode runs = JsonNodeFactory.instance.arrayNode();
    private Verdict worst = Verdict.PASS;

    /** One run. */
    record Cell(String authority, String duty, long seed) {}

    void add(Cell cell, Judgement judgement) {
        long gapMillis = judgement.longestGapNanos() / 1_000_000;
        row(cell, judgement.verdict(), judgement.faults(), judgement.commits(), judgement.violationCount(), gapMillis);
    }

    /** A run that could not be made takes nothing from the others. */
    void addNone(Cell cell, String why) {
        row(cell, Verdict.UNKNOWN, 0, 0, 0, 0).put("why", why);
        text.append("           ").append(why).append(System.lineSeparator());
    }

    private ObjectNode row(Cell cell, Verdict verdict, long faults, long commits, int violations, long gapMillis) {
        // FAIL before UNKNOWN.
        worst = worst == Verdict.PASS || verdict == Verdict.FAIL ? verdict : worst;
        text.append(ROW.formatted(
                cell.authority(), cell.duty(), cell.seed(), verdict, faults, commits, violations, gapMillis));
        return runs.addObject()
                .put("authority", cell.authority())
                .put("duty", cell.duty())
                .put("seed", cell.seed())
                .put("verdict", verdict.name())
                .put("faults", faults)
                .put("commits", commits)
                .put("violations", violations)
                .put("longestGapMillis", gapMillis);
    }

    Verdict worst() {
        return worst;
    }

    String text() {
        return text.toString();
    }

    String line() {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("verdict", worst.name());
        line.set("runs", runs);
        return line.toString();
    }
}
