package dev.baton.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.NodeId;
import dev.baton.core.timing.Fault;
import dev.baton.duty.remote.RemoteSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteConfigTest {

    @TempDir
    Path folder;

    @BeforeEach
    void makeKey() throws Exception {
        Files.createFile(folder.resolve("cluster.key"));
    }

    private NodeConfig read(String remote) throws ConfigException {
        return ConfigReader.read("test.yaml", """
                cluster: demo
                node: n1
                data: data/n1
                authority: {kind: memory}
                seats:
                  - {name: blocks, duty: remote, remote: {%s}}
                """.formatted(remote), folder);
    }

    private List<String> faults(String remote) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> read(remote));
        assertThat(refused).as("the configuration is refused").isNotNull();
        return refused.faults().stream().map(Fault::key).toList();
    }

    @Test
    void aHeadIsRecordedAfterOnePulseUnlessSaid() throws Exception {
        SeatConfig seat = read("key: cluster.key").seats().getFirst();
        RemoteSettings settings = seat.remote().settings(new NodeId("n1"), seat.timings());
        assertThat(settings.recordAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(seat.isFencedByStopping()).isTrue();
        assertThat(read("api: op-stack, address: \"http://op:9545\", min-peers: 2")
                        .seats()
                        .getFirst()
                        .remote()
                        .minPeers())
                .isEqualTo(2);
    }

    @Test
    void whatDoesNotFitTogetherIsRefused() {
        assertThat(faults("")).containsExactly("seats[0].remote.key");
        assertThat(faults("key: cluster.key, address: \"http://x\"")).containsExactly("seats[0].remote.address");
        assertThat(faults("key: cluster.key, address: \"10.0.0.1:7500\"")).containsExactly("seats[0].remote.tls");
        assertThat(faults("key: cluster.key, timeout: 1s")).containsExactly("seats[0].remote.timeout");
        assertThat(faults("key: cluster.key, max-head-age: 100ms")).containsExactly("seats[0].remote.max-head-age");
        assertThat(faults("api: op-stack, address: \"127.0.0.1:9545\"")).containsExactly("seats[0].remote.address");
        assertThat(faults("api: op-stack, address: \"http://op:9545\", key: cluster.key"))
                .containsExactly("seats[0].remote.key");
    }
}
