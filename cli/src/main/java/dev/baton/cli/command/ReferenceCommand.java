package dev.baton.cli.command;

import dev.baton.cli.Exit;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the page docs/reference/cli.md, from the commands themselves; a test compares the two. */
@Command(name = "reference", hidden = true, description = "Prints the reference of all commands as Markdown.")
public final class ReferenceCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(page(spec.root().commandLine()));
        out.flush();
        return Exit.OK.number();
    }

    static String page(CommandLine root) {
        StringBuilder page = new StringBuilder();
        page.append("# The command line\n\n");
        page.append("Written by `./baton reference > docs/reference/cli.md`; a test fails when it is out of date.\n\n");
        page.append("Answers go to standard output, everything else to standard error. With `--json` an answer is JSON,"
                + " one value per line. An error is one line: what stands there, what was expected, what to do.\n\n");
        page.append("A cluster that `baton up` runs is found by its folder (`--data`, `$BATON_DATA`, else `./data`);"
                + " any other node by its address (`--url`).\n\n");
        page.append("## Exit codes\n\n| code | name | meaning |\n|---|---|---|\n");
        for (Exit exit : Exit.values()) {
            page.append("| ")
                    .append(exit.number())
                    .append(" | ")
                    .append(exit.name())
                    .append(" | ")
                    .append(exit.meaning())
                    .append(" |\n");
        }
        append(page, root);
        return page.toString();
    }

    private static void append(StringBuilder page, CommandLine command) {
        page.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n");
        page.append(command.getUsageMessage(Help.Ansi.OFF).stripTrailing()).append("\n```\n");
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            if (!sub.getValue().getCommandSpec().usageMessage().hidden()) {
                append(page, sub.getValue());
            }
        }
    }
}
