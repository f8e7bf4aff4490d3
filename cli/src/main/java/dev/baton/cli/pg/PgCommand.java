package dev.baton.cli.pg;

import dev.baton.cli.command.PauseCommand;
import dev.baton.cli.command.ResumeCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Everything about PostgreSQL. */
@Command(
        name = "pg",
        description = "A PostgreSQL cluster: shows its servers, and moves the primary.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PgListCommand.class,
            PgSwitchoverCommand.class,
            PgReinitCommand.class,
            PgHistoryCommand.class,
            PauseCommand.class,
            ResumeCommand.class
        },
        footer = {
            "%nExamples:",
            "  baton pg list",
            "  baton pg switchover --to n2",
            "  baton pg switchover --to n2 --at 02:30",
            "  baton pg reinit n3",
            "  baton pg history"
        })
public final class PgCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }
}
