package dev.baton.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {

    private static final ClusterFile FILE = new ClusterFile(
            "dev",
            "raft",
            77,
            List.of(
                    new ClusterFile.Member("n1", 5, true, new ClusterFile.Ports(1, 2, 3, 4)),
                    new ClusterFile.Member("n2", 6, true, new ClusterFile.Ports(5, 6, 7, 8))));

    @Test
    void whatIsWrittenIsRead(@TempDir Path data) throws Exception {
        FILE.write(data);

        assertThat(ClusterFile.read(data)).contains(FILE);
        assertThat(ClusterFile.read(data.resolve("elsewhere"))).isEmpty();
    }

    @Test
    void aRestartedNodeHasANewProcessAndTheSamePorts() {
        ClusterFile changed = FILE.withPid("n2", 9);

        assertThat(changed.member("n2"))
                .contains(new ClusterFile.Member("n2", 9, true, new ClusterFile.Ports(5, 6, 7, 8)));
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
