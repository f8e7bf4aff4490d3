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
    public void seen(Seen news) {
        event(news.toLine());
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
    public void hint(String command) {
        event("try: " + command);
    }

    @Override
    public void verdict(Tally tally) {
        tally.findings().forEach(output::line);
        output.line(tally.verdict());
    }

    @Override
    public void close() {}
}
