package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.Promotion;
import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member keeps on disk, and whose disk it accepts. */
final class DiskTest {

    private static final RaftSettings.Limits SMALL = new RaftSettings.Limits(128 << 10, 400, 2 << 20);

    @TempDir
    private Path dir;

    /**
     * Many times what the bound allows is written, and trimmed as a holder does after its checkpoints. One member is away
     * all the time: the others must not keep the log for it.
     */
    @Test
    void theLogStaysWithinItsBound() throws Exception {
        try (Group group = Group.of(3, dir, settings -> settings.with(SMALL))) {
            Promotion.Elected elected = group.take(1);
            group.stop(3);
            int payload = 100 << 10;
            int kept = 10;
            for (int i = 1; i <= 1000; i++) {
                group.commit(1, elected, Bytes.wrap(new byte[payload]));
                if (i % kept == 0) {
                    Group.answer(group.member(1)
                            .seat(Group.SEAT)
                            .trim(elected.seating().term(), new Height(i - kept + 1)));
                }
            }
            group.awaitHeight(2, 1000);
            long bound = RaftAuthority.diskBound(SMALL, 2L * kept * (payload + 1024));
            for (int number = 1; number <= 2; number++) {
                long used = size(group.folder(number));
                System.out.printf("raft: n%d keeps %,d of at most %,d bytes%n", number, used, bound);
                assertThat(used).as("bytes on the disk of n%d", number).isLessThan(bound);
            }
        }
    }

    @Test
    void aMemberThatWasAwayTooLongReceivesASnapshot() throws Exception {
        try (Group group = Group.of(3, dir, settings -> settings.with(SMALL))) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("while everybody is there"));
            group.awaitHeight(3, 1);
            group.stop(3);
            for (int i = 0; i < 900; i++) {
                group.commit(1, elected, Bytes.wrap(new byte[4096]));
            }

            group.start(3);

            group.awaitHeight(3, 901);
            group.commit(1, elected, Bytes.utf8("and on"));
            group.awaitHeight(3, 902);
            Page whole = Group.answer(group.member(1).seat(Group.SEAT).read(new Height(800), PageLimit.DEFAULT));
            assertThat(Group.answer(group.member(3).seat(Group.SEAT).read(new Height(800), PageLimit.DEFAULT)))
                    .isEqualTo(whole);
            try (Stream<Path> files = Files.walk(group.folder(3))) {
                assertThat(files.map(Path::toString)).anyMatch(file -> file.contains("snapshot."));
            }
        }
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(DiskTest::sizeOf)
                    .sum();
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // purged in between
        }
    }

    private RaftSettings single(String cluster, String node) throws IOException {
        return RaftSettings.single(
                new ClusterId(cluster),
                new NodeId(node),
                LoopbackPorts.nextAddress(),
                dir.resolve("data"),
                Duration.ofSeconds(5));
    }

    @Test
    void anotherNodesOrClustersStorageIsRefused() throws Exception {
        RaftAuthority.start(single("one", "n1")).close();

        assertThatThrownBy(() -> RaftAuthority.start(single("one", "n2")))
                .isInstanceOf(StorageRefusedException.class)
                .hasMessageContaining("belongs to node n1 (expected: n2");
        assertThatThrownBy(() -> RaftAuthority.start(single("two", "n1")))
                .isInstanceOf(StorageRefusedException.class)
                .hasMessageContaining("belongs to cluster one (expected: two");
        RaftAuthority.start(single("one", "n1")).close();
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        RaftAuthority.start(single("one", "n1")).close();
        Path identity = dir.resolve("data").resolve("identity");
        Files.writeString(identity, Files.readString(identity).replace("format=1", "format=2"));

        assertThatThrownBy(() -> RaftAuthority.start(single("one", "n1")))
                .isInstanceOf(StorageRefusedException.class)
                .hasMessageContaining("format 2 (expected: 1");
    }

    @Test
    void aStorageInUseIsRefused() throws Exception {
        RaftSettings settings = single("one", "n1");
        try (RaftAuthority running = RaftAuthority.start(settings)) {
            assertThatThrownBy(() -> RaftAuthority.start(settings))
                    .isInstanceOf(StorageRefusedException.class)
                    .hasMessageContaining("open in this process already");
            assertThat(running.broken()).isEmpty();
        }
    }

    @Test
    void anEmptyStorageOfAnExistingClusterIsRefused() throws Exception {
        RaftSettings settings = single("one", "n1").withBootstrap(false);

        assertThatThrownBy(() -> RaftAuthority.start(settings))
                .isInstanceOf(StorageRefusedException.class)
                .hasMessageContaining("join again");
    }

    @Test
    void anOccupiedPortIsReportedAndCanBeTriedAgain() throws Exception {
        RaftSettings settings = single("one", "n1");
        int port = URI.create("raft://" + settings.address()).getPort();
        try (ServerSocket occupier = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> RaftAuthority.start(settings))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining(settings.address());
            assertThat(occupier.isBound()).isTrue();
        }
        RaftAuthority.start(settings).close();
    }

    @Test
    void damagedEngineFilesAreReported() throws Exception {
        RaftSettings settings = single("one", "n1");
        RaftAuthority.start(settings).close();
        try (Stream<Path> files = Files.walk(dir.resolve("data"))) {
            Path meta =
                    files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
            Files.writeString(meta, "nonsense");
        }

        assertThatThrownBy(() -> RaftAuthority.start(settings))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("raft-meta");
    }

    @Test
    void twoMembersAreRefusedWithAWayOut() {
        RaftSettings settings = RaftSettings.of(
                new ClusterId("one"),
                new NodeId("n1"),
                Map.of(new NodeId("n1"), "127.0.0.1:1", new NodeId("n2"), "127.0.0.1:2"),
                dir,
                Duration.ofSeconds(5));

        assertThatThrownBy(() -> RaftAuthority.start(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("witness")
                .hasMessageContaining("redis, etcd or nats");
        assertThat(settings.warnings()).isNotEmpty();
    }
}
