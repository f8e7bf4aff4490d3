package dev.baton.cli.pg;

import dev.baton.cli.CliFailure;
import dev.baton.cli.command.HandoffCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Moves the primary to another node, by plan: a handoff of its seat. */
@Command(
        name = "switchover",
        description = "Stops the primary in order, once its standbys have everything, and promotes another node's.",
        footer = {"%nExamples:", "  baton pg switchover --to n2"})
final class PgSwitchoverCommand implements Callable<Integer> {

    @Mixin
    private final HandoffCommand handoff = new HandoffCommand();

    @Override
    public Integer call() throws CliFailure, InterruptedException {
        return handoff.call();
    }
}
