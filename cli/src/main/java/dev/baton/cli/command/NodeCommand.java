package dev.baton.cli.command;

import dev.baton.cli.InputEnd;
import dev.baton.node.NodeMain;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs one node in this process. */
@Command(
        name = "node",
        description = {
            "Runs one node in the foreground until SIGTERM or Ctrl-C; its log goes to standard output.",
            "Check the file first with: baton config check FILE."
        },
        footer = {"%nExamples:", "  baton node --config node.yaml", "  baton node --config node.yaml --join"})
public final class NodeCommand implements Callable<Integer> {

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The node's configuration.")
    private Path config = Path.of("");

    @Option(
            names = "--join",
            description = "If the Raft storage is empty, join the running cluster: as a new member, or in place of the"
                    + " member of this name that lost its disk.")
    private boolean join;

    @Option(
            names = "--until-input-ends",
            hidden = true,
            description = "Stop when standard input ends, as it does when the process at its other end is gone.")
    private boolean untilInputEnds;

    @Override
    public Integer call() {
        if (untilInputEnds) {
            InputEnd.stopsThisProcess();
        }
        return NodeMain.run(config, join).number();
    }
}
