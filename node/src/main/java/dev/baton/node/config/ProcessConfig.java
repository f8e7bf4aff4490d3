package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.process.ProcessSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What only a seat with a process of the user's has; every command is given to the shell. */
public record ProcessConfig(
        Optional<String> start,
        Optional<String> stop,
        Optional<String> probe,
        Optional<String> promote,
        List<String> hooks,
        Duration eachTimeout) {

    private static final String COMMAND = "a command for the shell";

    public ProcessConfig {
        hooks = List.copyOf(hooks);
    }

    static ProcessConfig read(Section seat) {
        try (Section process = seat.section("process")) {
            return new ProcessConfig(
                    process.optional("start", COMMAND, text -> text),
                    process.optional("stop", COMMAND, text -> text),
                    process.optional("probe", COMMAND, text -> text),
                    process.optional("promote", COMMAND, text -> text),
                    process.values("hooks", COMMAND, text -> text),
                    process.duration("each-timeout", Duration.ofSeconds(1)));
        }
    }

    /** What the duty is told; the process works in this folder. */
    public ProcessSettings settings(Path folder) {
        return new ProcessSettings(
                start.map(ProcessConfig::shell).orElse(List.of()),
                stop.map(ProcessConfig::shell),
                probe.map(ProcessConfig::shell),
                promote.map(ProcessConfig::shell),
                hooks.stream().map(ProcessConfig::shell).toList(),
                eachTimeout,
                folder);
    }

    private static List<String> shell(String command) {
        return List.of("sh", "-c", command);
    }

    List<Fault> faults(String prefix, SeatTimings timings) {
        return settings(Path.of("/")).faults(prefix, timings);
    }
}
