package dev.baton.cli;

import dev.baton.bench.BenchCommand;
import dev.baton.chaos.run.ChaosCommand;
import dev.baton.cli.bench.UpCluster;
import dev.baton.formal.FormalCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.UnmatchedArgumentException;

/** What {@code ./baton} runs. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        CommandLine commands = commands();
        commands.setOut(new PrintWriter(System.out, false, StandardCharsets.UTF_8));
        commands.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        System.exit(commands.execute(args));
    }

    /** All commands, ready to execute; used by the tests as well. */
    public static CommandLine commands() {
        BatonCommand root = new BatonCommand();
        CommandLine commands = new CommandLine(root);
        commands.addSubcommand(BenchCommand.commands(UpCluster::start));
        commands.addSubcommand(ChaosCommand.commands());
        commands.addSubcommand(new FormalCommand());
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setExecutionExceptionHandler(failures(root));
        commands.setParameterExceptionHandler(wrongUsage());
        return commands;
    }

    private static IExecutionExceptionHandler failures(BatonCommand root) {
        return (failure, command, parsed) -> {
            PrintWriter err = command.getErr();
            Exit exit = failure instanceof CliFailure known ? known.exit() : Exit.DEFECT;
            err.println("baton: " + (exit == Exit.DEFECT ? "defect: " + failure : failure.getMessage())
                    + (exit == Exit.DEFECT && !root.isVerbose() ? " (run again with --verbose to see where)" : ""));
            if (root.isVerbose()) {
                failure.printStackTrace(err);
            }
            err.flush();
            return exit.number();
        };
    }

    private static IParameterExceptionHandler wrongUsage() {
        return (wrong, args) -> {
            CommandLine command = wrong.getCommandLine();
            PrintWriter err = command.getErr();
            err.println("baton: " + wrong.getMessage());
            if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
                err.println("see: " + command.getCommandSpec().qualifiedName() + " --help");
            }
            err.flush();
            return Exit.USAGE.number();
        };
    }
}
