package dev.baton.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code baton bench …}. */
@Command(
        name = "bench",
        description = "Measures; every result names the machine and the commit.",
        synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** All benchmarks, over clusters that the starter makes. */
    public static CommandLine commands(LiveCluster.Starter starter) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new ConsoleCommand(starter))
                .addSubcommand(new FailoverCommand(starter))
                .addSubcommand(new HandoffCommand(starter))
                .addSubcommand(new LedgerCommand())
                .addSubcommand(new MempoolCommand())
                .addSubcommand(new MempoolFailoverCommand())
                .addSubcommand(new NodeCommand(starter))
                .addSubcommand(new PostgresCommand())
                .addSubcommand(new TokensCommand());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which benchmark? (expected: one of those below)");
    }
}
