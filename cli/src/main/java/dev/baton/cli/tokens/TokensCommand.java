package dev.baton.cli.tokens;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Everything about tokens. */
@Command(
        name = "tokens",
        description = {
            "Unique, ordered tokens: takes some, looks after namespaces, and checks what was handed out.",
            "Talks gRPC to the nodes that serve tokens: those of an up cluster, or those named with --at."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            NextCommand.class,
            StreamCommand.class,
            NamespacesCommand.class,
            CreateCommand.class,
            FreezeCommand.class,
            TokenHistoryCommand.class,
            HammerCommand.class,
            VerifyCommand.class
        },
        footer = {
            "%nExamples:",
            "  baton tokens next voucher --count 10",
            "  baton tokens hammer voucher --clients 32 --for 60s --log run.jsonl",
            "  baton tokens verify run.jsonl --data data"
        })
public final class TokensCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }
}
