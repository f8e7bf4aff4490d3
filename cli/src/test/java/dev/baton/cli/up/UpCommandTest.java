package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.Cli;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before any process is started. */
class UpCommandTest {

    @ParameterizedTest
    @CsvSource({
        "--nodes, 2, --nodes: 2 (expected: 1",
        "--nodes, many, Invalid value for option '--nodes'",
        "--authority, zookeeper, --authority: \"zookeeper\" (expected: one of raft",
        "--redis, nowhere, --redis: nowhere (expected: host:port)",
        "--init, --json, --init: with --authority raft (expected: redis)",
        "--etcd, nowhere, --etcd: nowhere (expected: host:port)",
        "--nats, nowhere, --nats: nowhere (expected: host:port)",
        "--interval, 5ms, --interval: 5ms (expected: 10ms or longer)",
        "--console-port, 70000, --console-port: 70000 (expected: 0 to 65535",
        "--for, soon, Invalid value for option '--for'",
        "--port-base, 80, --port-base: 80 (expected: 1024 to "
    })
    void aWrongOptionIsNamedWithWhatWasExpected(String option, String value, String message, @TempDir Path folder) {
        Path data = folder.resolve("data");

        Cli up = Cli.run("up", "--data", data.toString(), option, value);

        assertThat(up.code()).isEqualTo(Exit.USAGE.number());
        assertThat(up.err()).startsWith("baton: " + message);
        assertThat(data.resolve(ClusterFile.NAME)).doesNotExist();
    }

    @Test
    void freshNeedsConsent(@TempDir Path data) throws IOException {
        new ClusterFile("dev", "raft", 0, List.of()).write(data);

        Cli up = Cli.run("up", "--data", data.toString(), "--fresh");

        assertThat(up.code()).isEqualTo(Exit.REFUSED.number());
        assertThat(up.err()).contains("nothing was deleted");
        assertThat(data.resolve(ClusterFile.NAME)).exists();
    }
}
