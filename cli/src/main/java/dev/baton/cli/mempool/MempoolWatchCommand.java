package dev.baton.cli.mempool;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.cluster.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Follows what happens in the pool. */
@Command(
        name = "watch",
        description = {
            "Prints every change of every transaction in order, until stopped.",
            "Events are numbered without gaps; --after goes on from where another watch ended."
        },
        footer = {"%nExamples:", "  baton mempool watch", "  baton mempool watch --after 0 --json"})
final class MempoolWatchCommand implements Callable<Integer> {

    @Mixin
    private final PoolSource source = new PoolSource();

    @Mixin
    private final Output output = new Output();

    @Option(
            names = "--after",
            paramLabel = "ID",
            defaultValue = "-1",
            description = "Events after this one; 0 for all that are kept (default: only new ones).")
    private long after;

    @Option(names = "--count", paramLabel = "N", description = "End after N events.")
    private Optional<Long> count = Optional.empty();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        long[] seen = {0};
        Optional<Reply> end = source.target()
                .client()
                .follow(source.first().http(), "/mempool/watch?after=" + after, event -> {
                    output.print(
                            event,
                            List.of(
                                    event.has("error")
                                            ? event.path("error").asText() + "; oldest "
                                                    + event.path("oldest").asLong()
                                            : event.path("id").asLong() + "  "
                                                    + event.path("hash").asText() + "  "
                                                    + event.path("stage").asText()));
                    seen[0]++;
                    return count.isEmpty() || seen[0] < count.get();
                });
        if (end.isPresent()) {
            ClusterTarget.expect(end.get());
        }
        return Exit.OK.number();
    }
}
