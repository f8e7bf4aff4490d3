package dev.baton.cli.control;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.control.rpc.ControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about what was asked of the cluster. */
@Command(
        name = "audit",
        description = "Shows and checks what was asked of the cluster, by whom, and what came of it.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {AuditListCommand.class, AuditVerifyCommand.class},
        footer = {"%nExamples:", "  baton audit list", "  baton audit verify --file /var/lib/baton/n1/control/audit.log"
        })
public final class AuditCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? (expected: one of those below)");
    }

    /** Which books a command reads. */
    static final class Books {
        @Mixin
        private final ClusterTarget target = new ClusterTarget();

        @Option(names = "--file", paramLabel = "FILE", description = "One book, wherever it is.")
        private Optional<Path> file = Optional.empty();

        ClusterTarget target() {
            return target;
        }

        boolean isOneFile() {
            return file.isPresent();
        }

        /** By the name of their node. */
        Map<String, Path> find() throws CliFailure {
            Map<String, Path> found = new LinkedHashMap<>();
            if (file.isPresent()) {
                found.put(file.get().toString(), file.get());
            } else {
                target.file()
                        .nodes()
                        .forEach(member -> found.put(
                                member.node(),
                                target.data()
                                        .resolve(member.node())
                                        .resolve("control")
                                        .resolve(ControlPlane.BOOK)));
            }
            found.values().removeIf(book -> !Files.exists(book));
            if (found.isEmpty()) {
                throw new CliFailure(
                        Exit.NOT_FOUND,
                        "no book (expected: --file, or the folder of an up cluster in which something was asked"
                                + " already)");
            }
            return found;
        }
    }
}
