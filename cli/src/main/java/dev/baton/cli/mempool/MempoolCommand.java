package dev.baton.cli.mempool;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Everything about the pool of transactions. */
@Command(
        name = "mempool",
        description = {
            "The pool of transactions that all nodes share: submits, follows and lists them.",
            "Any node answers; which one does not matter."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            MempoolSubmitCommand.class,
            MempoolStatusCommand.class,
            MempoolListCommand.Pending.class,
            MempoolListCommand.Inflight.class,
            MempoolListCommand.Finalized.class,
            MempoolWatchCommand.class,
            MempoolStatsCommand.class
        },
        footer = {
            "%nExamples:",
            "  baton mempool submit \"pay alice 5\"",
            "  baton mempool watch --after 0",
            "  baton mempool stats"
        })
public final class MempoolCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }
}
