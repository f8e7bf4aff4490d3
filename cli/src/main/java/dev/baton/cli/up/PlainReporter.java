package dev.baton.cli.up;

import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeView;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** A line for everything that happens. */
final class PlainReporter implements Reporter {

    private final Output output;

    PlainReporter(Output output) {
        this.output = output;
    }

    @Override
    public void block(SeenBlock block) {
        event(block.toLine());
    }

    @Override
    public void standing(NodeView before, NodeView now) {
        event(change(before, now));
    }

    static String change(NodeView before, NodeView now) {
        return now.node() + " " + before.standing() + " -> " + now.standing()
                + (now.leads() && now.epoch().isPresent()
                        ? ", epoch " + now.epoch().getAsLong()
                        : "");
    }

    @Override
    public void event(String what) {
        output.line(
                LocalTime.now(ZoneId.systemDefault())
                                .truncatedTo(ChronoUnit.SECONDS)
                                .format(DateTimeFormatter.ISO_TIME) + "  " + what);
    }

    @Override
    public void verdict(ChainObserver.Tally tally) {
        tally.findings().forEach(output::line);
        output.line(sentence(tally));
    }

    static String sentence(ChainObserver.Tally tally) {
        return (tally.passed() ? "PASS" : "FAIL") + ": " + count(tally.blocks(), "block") + ", "
                + count(tally.forks(), "fork") + ", " + count(tally.gaps(), "gap") + ", "
                + count(tally.terms(), "term");
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    @Override
    public void close() {}
}
