package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.timing.Fault;
import dev.baton.duty.process.ProcessSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessConfigTest {

    private static NodeConfig read(String process) throws ConfigException {
        return ConfigReader.read("test.yaml", """
                cluster: demo
                node: n1
                data: data/n1
                authority: {kind: memory}
                seats:
                  - {name: jobs, duty: process, process: {%s}}
                """.formatted(process), Path.of("/etc/baton"));
    }

    private static List<String> faults(String process) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(process));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults().stream().map(Fault::key).toList();
    }

    @Test
    void commandsAreGivenToTheShell() throws Exception {
        ProcessSettings settings = read("start: run, probe: look, promote: rise")
                .seats()
                .getFirst()
                .process()
                .settings(Path.of("/work"));
        assertThat(settings.start()).containsExactly("sh", "-c", "run");
        assertThat(settings.probe()).contains(List.of("sh", "-c", "look"));
        assertThat(settings.promote()).contains(List.of("sh", "-c", "rise"));
    }

    @Test
    void aProcessWithoutACommandAndALadderThatTakesTooLongAreRefused() {
        assertThat(faults("probe: look")).containsExactly("seats[0].process.start");
        assertThat(faults("start: run, hooks: [a, b]")).containsExactly("seats[0].takeover.stop");
    }
}
