package dev.baton.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Exit;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.ClusterTarget;
import dev.baton.cli.command.doctor.Checks;
import dev.baton.cli.command.doctor.Finding;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks for what could keep a cluster from running here. */
@Command(
        name = "doctor",
        description = "Checks this machine and the cluster: JDK, memory, disk, ports, data folder, nodes, clocks.",
        footer = {"%nExamples:", "  baton doctor", "  baton doctor --data /var/lib/baton --json"})
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private final ClusterTarget target = new ClusterTarget();

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings = new Checks(target).run();
        ArrayNode checks = Json.array();
        for (Finding finding : findings) {
            checks.add(finding.toJson());
            if (!output.isJson()) {
                output.line(finding.toLine());
            }
        }
        Finding.Level worst =
                findings.stream().map(Finding::level).reduce(Finding.Level.OK, (a, b) -> a.compareTo(b) > 0 ? a : b);
        if (output.isJson()) {
            ObjectNode json = Json.object().put("worst", worst.name().toLowerCase(Locale.ROOT));
            output.json(json.set("checks", checks));
        }
        return (worst == Finding.Level.FAIL ? Exit.FAILED : Exit.OK).number();
    }
}
