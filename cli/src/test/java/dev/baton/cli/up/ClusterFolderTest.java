package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.cli.CliFailure;
import dev.baton.cli.cluster.ClusterFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFolderTest {

    private static UpSettings settings(Path data, int nodes, boolean fresh) {
        return settings(data, nodes, UpAuthority.RAFT, fresh);
    }

    private static UpSettings settings(Path data, int nodes, UpAuthority authority, boolean fresh) {
        return new UpSettings(
                data,
                nodes,
                Duration.ofSeconds(1),
                authority,
                UpDuty.SEQUENCER,
                false,
                Optional.empty(),
                Optional.empty(),
                fresh);
    }

    @Test
    void aSecondUpResumesWithTheSamePorts(@TempDir Path data) throws Exception {
        List<ClusterFile.Member> first;
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 3, false))) {
            assertThat(folder.isNew()).isTrue();
            first = folder.file().nodes();
        }
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 3, false))) {
            assertThat(folder.isNew()).isFalse();
            assertThat(folder.file().nodes()).isEqualTo(first);
        }
    }

    @Test
    void aFolderInUseIsRefusedAndTheOtherProcessNamed(@TempDir Path data) throws Exception {
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 3, false))) {
            assertThat(folder.file().nodes()).hasSize(3);
            assertThatThrownBy(() -> ClusterFolder.open(settings(data, 3, false)))
                    .hasMessageContaining("in use by another up, process "
                            + ProcessHandle.current().pid());
        }
    }

    /** The system takes a process's lock away when that process closes any channel of the file, one to look only, too. */
    @Test
    void whoIsRefusedInThisProcessDoesNotGiveTheFolderToAnother(@TempDir Path data) throws Exception {
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 3, false))) {
            assertThatThrownBy(() -> ClusterFolder.open(settings(data, 3, false)))
                    .hasMessageContaining("in use by another up");

            assertThat(inAnotherProcess(data))
                    .contains("in use by another up, process "
                            + ProcessHandle.current().pid());
            assertThat(folder.file().nodes()).hasSize(3);
        }
        assertThat(inAnotherProcess(data)).isEqualTo("taken");
    }

    private static String inAnotherProcess(Path data) throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TakeFolder.class.getName(),
                        data.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return other.inputReader().readLine();
        } finally {
            other.destroy();
            assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Takes a folder if it can. */
    static final class TakeFolder {
        private TakeFolder() {}

        public static void main(String[] arguments) throws Exception {
            try (ClusterFolder taken = ClusterFolder.open(settings(Path.of(arguments[0]), 3, false))) {
                System.out.println(taken.isNew() ? "new" : "taken");
            } catch (CliFailure e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void aFolderWithOtherThingsInItIsLeftAlone(@TempDir Path data) throws Exception {
        Files.writeString(data.resolve("thesis.txt"), "precious");

        assertThatThrownBy(() -> ClusterFolder.open(settings(data, 3, true)))
                .hasMessageContaining("has files that are not baton's");
        assertThat(data.resolve("thesis.txt")).exists();
    }

    @Test
    void anotherNumberOfNodesIsRefused(@TempDir Path data) throws Exception {
        ClusterFolder.open(settings(data, 3, false)).close();

        assertThatThrownBy(() -> ClusterFolder.open(settings(data, 5, false)))
                .hasMessageStartingWith("--nodes: 5, but ");
    }

    @Test
    void freshDeletesTheNodesAndNothingElse(@TempDir Path data) throws Exception {
        ClusterFolder.open(settings(data, 3, false)).close();
        Path block =
                Files.createDirectories(data.resolve("n1").resolve("blocks")).resolve("1");
        Files.writeString(block, "a block");
        Path other = Files.writeString(data.resolve("notes.txt"), "mine");

        try (ClusterFolder folder = ClusterFolder.open(settings(data, 5, true))) {
            assertThat(folder.isNew()).isTrue();
            assertThat(folder.file().nodes()).hasSize(5);
        }
        assertThat(block).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void ownEtcdMembersHaveAPortForClientsAndOneForEachOther(@TempDir Path data) throws Exception {
        UpAuthority etcd = new UpAuthority("etcd", List.of(), false);
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 2, etcd, false))) {
            List<ClusterFile.Server> own = folder.file().servers().orElseThrow().own();
            assertThat(own).extracting(ClusterFile.Server::name).containsExactly("etcd-1", "etcd-2", "etcd-3");
            assertThat(own.stream().flatMap(server -> Stream.of(server.port(), server.peerPort())))
                    .doesNotHaveDuplicates()
                    .allMatch(port -> port > 0);
        }
    }

    @Test
    void ownRedisNodesHavePortsOfTheirOwnAndTheAuthorityStaysWhatItWas(@TempDir Path data) throws Exception {
        UpAuthority redis = new UpAuthority("redis", List.of(), false);
        List<String> first;
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 2, redis, false))) {
            first = folder.file().servers().orElseThrow().addresses();
            assertThat(first).hasSize(3).doesNotHaveDuplicates();
            folder.founded();
        }
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 2, redis, false))) {
            assertThat(folder.file().servers().orElseThrow().addresses()).isEqualTo(first);
            assertThat(folder.file().servers().orElseThrow().founded()).isTrue();
        }
        assertThatThrownBy(() -> ClusterFolder.open(settings(data, 2, false)))
                .hasMessageStartingWith("--authority: raft, but ");
        assertThatThrownBy(() ->
                        ClusterFolder.open(settings(data, 2, new UpAuthority("redis", List.of("h:1"), false), false)))
                .hasMessageStartingWith("--redis: h:1, but ");
    }

    @Test
    void aRememberedPortThatSomeoneElseTookIsNamed(@TempDir Path data) throws Exception {
        int port;
        try (ClusterFolder folder = ClusterFolder.open(settings(data, 1, false))) {
            port = folder.file().nodes().getFirst().ports().raft();
        }
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(other.isBound()).isTrue();
            assertThatThrownBy(() -> ClusterFolder.open(settings(data, 1, false)))
                    .hasMessageStartingWith("port " + port + " of node n1 is taken");
        }
    }
}
