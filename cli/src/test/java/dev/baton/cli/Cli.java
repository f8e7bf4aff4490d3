package dev.baton.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Runs a command within the test, as {@code ./baton} would. */
public record Cli(int code, String out, String err) {

    public static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commands = Main.commands();
        commands.setOut(new PrintWriter(out));
        commands.setErr(new PrintWriter(err));
        commands.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        int code = commands.execute(args);
        return new Cli(code, out.toString(), err.toString());
    }

    public List<String> lines() {
        return out.lines().toList();
    }
}
