package dev.baton.cli.up;

import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeView;

/** One JSON line per block or token, and the verdict as the last; everything else belongs to people and stays away. */
final class JsonReporter implements Reporter {

    private final Output output;

    JsonReporter(Output output) {
        this.output = output;
    }

    @Override
    public void seen(Seen news) {
        output.json(news.toJson());
    }

    @Override
    public void standing(NodeView before, NodeView now) {}

    @Override
    public void event(String what) {}

    @Override
    public void hint(String command) {}

    @Override
    public void verdict(Tally tally) {
        output.json(tally.toJson());
    }

    @Override
    public void close() {}
}
