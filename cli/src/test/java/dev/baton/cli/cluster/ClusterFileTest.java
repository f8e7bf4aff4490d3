package dev.baton.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {

    private static final ClusterFile FILE = new ClusterFile(
            "dev",
            "raft",
            77,
            List.of(
                    new ClusterFile.Member("n1", 5, true, new ClusterFile.Ports(1, 2, 3, 4, 9)),
                    new ClusterFile.Member("n2", 6, true, new ClusterFile.Ports(5, 6, 7, 8, 10))));

    @Test
    void whatIsWrittenIsRead(@TempDir Path data) throws Exception {
        FILE.write(data);

        assertThat(ClusterFile.read(data)).contains(FILE);
        assertThat(ClusterFile.read(data.resolve("elsewhere"))).isEmpty();
    }

    @Test
    void thePortOfTheDutyIsReadFromAFileInWhichItIsCalledTokens(@TempDir Path data) throws Exception {
        FILE.write(data);
        Path file = data.resolve(ClusterFile.NAME);
        String written = Files.readString(file);
        Files.writeString(file, written.replaceFirst("\"duty\"( *: *)9\\b", "\"tokens\"$19"));

        assertThat(Files.readString(file)).contains("\"tokens\"");
        assertThat(ClusterFile.read(data)).contains(FILE);
    }

    @Test
    void redisNodesAreKeptWithTheirProcessesAndWhetherTheSeatIsFounded(@TempDir Path data) throws Exception {
        ClusterFile file = new ClusterFile(
                "dev",
                "redis",
                ClusterFile.TOKENS,
                77,
                FILE.nodes(),
                Optional.of(new ClusterFile.Servers(
                        ServerKind.REDIS,
                        false,
                        List.of(
                                new ClusterFile.Server("redis-1", "127.0.0.1:9", 0, 4, true),
                                new ClusterFile.Server("h:1", "h:1", 0, 0, false)))));
        ClusterFile changed = file.withPid("redis-1", 8).founded();
        changed.write(data);

        assertThat(ClusterFile.read(data)).contains(changed);
        assertThat(changed.servers().orElseThrow().founded()).isTrue();
        assertThat(changed.ownServer("redis-1").orElseThrow().pid()).isEqualTo(8);
        assertThat(changed.ownServer("h:1")).isEmpty();
        assertThat(changed.nodes()).isEqualTo(FILE.nodes());
        assertThat(changed.stopped().ownServer("redis-1").orElseThrow().pid()).isZero();
    }

    @Test
    void aRestartedNodeHasANewProcessAndTheSamePorts() {
        ClusterFile changed = FILE.withPid("n2", 9);

        assertThat(changed.member("n2"))
                .contains(new ClusterFile.Member("n2", 9, true, new ClusterFile.Ports(5, 6, 7, 8, 10)));
        assertThat(changed.member("n1")).isEqualTo(FILE.member("n1"));
        assertThat(changed.stopped().nodes()).allMatch(member -> member.pid() == 0);
    }

    @Test
    void aDamagedOrNewerFileIsRefusedWithARemedy(@TempDir Path data) throws Exception {
        Files.writeString(data.resolve(ClusterFile.NAME), "{\"format\":");
        assertThatThrownBy(() -> ClusterFile.read(data))
                .isInstanceOfSatisfying(
                        CliFailure.class, e -> assertThat(e.exit()).isEqualTo(Exit.DATA_FOLDER))
                .hasMessageContaining("is damaged (expected: ");

        Files.writeString(data.resolve(ClusterFile.NAME), "{\"format\":2}");
        assertThatThrownBy(() -> ClusterFile.read(data)).hasMessageContaining("has format 2 (expected: 1");
    }
}
