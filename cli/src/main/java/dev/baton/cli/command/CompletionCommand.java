package dev.baton.cli.command;

import dev.baton.cli.Exit;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        description = "Prints a completion script for the shell.",
        footer = {
            "%nExamples:",
            "  source <(./baton completion bash)",
            "  ./baton completion zsh > ~/.baton-completion && echo 'source ~/.baton-completion' >> ~/.zshrc"
        })
public final class CompletionCommand implements Callable<Integer> {

    /** The shells that it knows. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        if (shell == Shell.ZSH) {
            spec.commandLine().getOut().println("autoload -U +X compinit && compinit");
        }
        spec.commandLine().getOut().println(AutoComplete.bash("baton", root));
        spec.commandLine().getOut().flush();
        return Exit.OK.number();
    }
}
