package dev.baton.cli;

import dev.baton.cli.command.BlocksCommand;
import dev.baton.cli.command.CompletionCommand;
import dev.baton.cli.command.ConfigCommand;
import dev.baton.cli.command.CrashCommand;
import dev.baton.cli.command.DoctorCommand;
import dev.baton.cli.command.ExplainCommand;
import dev.baton.cli.command.HandoffCommand;
import dev.baton.cli.command.HistoryCommand;
import dev.baton.cli.command.InitCommand;
import dev.baton.cli.command.NodeCommand;
import dev.baton.cli.command.NodesCommand;
import dev.baton.cli.command.PauseCommand;
import dev.baton.cli.command.RecoverCommand;
import dev.baton.cli.command.ReferenceCommand;
import dev.baton.cli.command.ResumeCommand;
import dev.baton.cli.command.SimCommand;
import dev.baton.cli.command.StatusCommand;
import dev.baton.cli.command.SubmitCommand;
import dev.baton.cli.command.WatchdogCommand;
import dev.baton.cli.control.AuditCommand;
import dev.baton.cli.control.CertsCommand;
import dev.baton.cli.control.ControlCommand;
import dev.baton.cli.control.UpgradeCommand;
import dev.baton.cli.mempool.MempoolCommand;
import dev.baton.cli.pg.PgCommand;
import dev.baton.cli.proxy.ProxyCommand;
import dev.baton.cli.remote.SequencerCommand;
import dev.baton.cli.tokens.TokensCommand;
import dev.baton.cli.up.RehearseCommand;
import dev.baton.cli.up.UpCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of all commands. */
@Command(
        name = "baton",
        description = "One holder, fenced: exactly one node acts at a time.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            UpCommand.class,
            StatusCommand.class,
            HistoryCommand.class,
            ExplainCommand.class,
            BlocksCommand.class,
            SubmitCommand.class,
            TokensCommand.class,
            MempoolCommand.class,
            PgCommand.class,
            CrashCommand.class,
            HandoffCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            UpgradeCommand.class,
            ControlCommand.class,
            AuditCommand.class,
            CertsCommand.class,
            NodeCommand.class,
            ProxyCommand.class,
            SequencerCommand.class,
            InitCommand.class,
            NodesCommand.class,
            RecoverCommand.class,
            ConfigCommand.class,
            DoctorCommand.class,
            SimCommand.class,
            CompletionCommand.class,
            ReferenceCommand.class,
            WatchdogCommand.class,
            RehearseCommand.class
        },
        footer = {
            "%nBegin with: baton up",
            "Exit codes: 0 well, 1 bad verdict, 2 usage, 4 nobody answers, 5 refused, 6 not found, 64 to 70 a node's;"
                    + " docs/reference/cli.md has all."
        })
final class BatonCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show where a failure came from.")
    private boolean verbose;

    boolean isVerbose() {
        return verbose;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }
}
