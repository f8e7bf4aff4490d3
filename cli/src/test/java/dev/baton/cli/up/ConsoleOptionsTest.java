package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.cluster.ClusterFile;
import dev.baton.cli.console.UpConsole;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConsoleOptionsTest {

    private final List<String> told = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private UpConsole console;

    @BeforeEach
    void open(@TempDir Path data) throws Exception {
        ClusterFile cluster = new ClusterFile("dev", "raft", 0, List.of());
        console = UpConsole.open(data, 0, () -> cluster, Optional::empty, told::add);
    }

    @AfterEach
    void close() {
        console.close();
    }

    private void show(ConsoleOptions.Opener opener, String... arguments) {
        ConsoleOptions options = CommandLine.populateCommand(new ConsoleOptions(opener), arguments);
        options.show(console, told::add);
    }

    @Test
    void theAddressAndTheTokenAreToldAndNoBrowserIsOpened() {
        show(shown::add);

        assertThat(told).singleElement().asString().contains(console.url()).contains(console.token());
        assertThat(shown).isEmpty();
    }

    @Test
    void openOpensTheAddressWithoutTheToken() {
        show(shown::add, "--open");

        assertThat(shown).containsExactly(console.url());
        assertThat(console.url()).doesNotContain(console.token());
    }

    @Test
    void aMachineWithoutABrowserIsToldToOpenItElsewhere() {
        show(
                url -> {
                    throw new IOException("no such program");
                },
                "--open");

        assertThat(told).hasSize(2);
        assertThat(told.getLast()).contains("open the address yourself");
    }
}
