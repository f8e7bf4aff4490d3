package dev.baton.bench.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineCallersTest {

    @Test
    void aConnectionComesFromTheMachineOfItsProcessWhicheverFamilyItsSocketIsOf() throws Exception {
        long self = ProcessHandle.current().pid();
        MachineCallers callers = new MachineCallers(() -> Map.of("n1", List.of(self)));
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.2"))) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.2", server.getLocalPort());
            try (SocketChannel newer = SocketChannel.open(address); // Java's own choice
                    Socket accepted = server.accept()) {
                assertThat(newer.isConnected()).isTrue();
                assertThat(callers.callerOf(accepted)).isEqualTo("n1");
            }
            try (SocketChannel older = SocketChannel.open(StandardProtocolFamily.INET)) {
                older.connect(address);
                try (Socket accepted = server.accept()) {
                    assertThat(callers.callerOf(accepted)).isEqualTo("n1");
                    assertThat(new MachineCallers(Map::of).callerOf(accepted)).isEqualTo("client");
                }
            }
        }
    }
}
