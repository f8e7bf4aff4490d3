package dev.baton.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.cli.cluster.ClusterFile.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {

    @Test
    void aPortInUseIsPassedOver() throws Exception {
        Path folder = Path.of("/some/folder");
        List<Ports> first = FreePorts.search(folder, 3, 0).nodes();
        int taken = first.getFirst().http();
        try (ServerSocket other = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePorts.isFree(other.getLocalPort())).isFalse();
            assertThat(FreePorts.search(folder, 3, 0).nodes())
                    .hasSize(3)
                    .allSatisfy(ports ->
                            assertThat(ports.all()).doesNotContain(taken).doesNotHaveDuplicates());
        }
    }

    @Test
    void aBaseGivesFivePortsPerNodeAndOnePerServer() throws Exception {
        FreePorts.Found found = FreePorts.from(7000, 2, 3);

        assertThat(found.nodes())
                .containsExactly(new Ports(7000, 7001, 7002, 7003, 7004), new Ports(7005, 7006, 7007, 7008, 7009));
        assertThat(found.servers()).containsExactly(7010, 7011, 7012);
        assertThatThrownBy(() -> FreePorts.from(65_530, 3, 0)).hasMessageStartingWith("--port-base: 65530 (expected: ");
    }
}
