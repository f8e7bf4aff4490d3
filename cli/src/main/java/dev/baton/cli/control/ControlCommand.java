package dev.baton.cli.control;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands that speak to one node's control listener. */
@Command(
        name = "control",
        description = "Asks, stops and starts one node through its control listener.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ControlStatusCommand.class, ControlStopCommand.class, ControlStartCommand.class},
        footer = {
            "%nExamples:",
            "  baton control stop n1 --reason \"disk exchange\"",
            "  baton control start n1",
            "  baton control status n1 --address 10.0.0.5:7404 --certs certs --as operator"
        })
public final class ControlCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }
}
