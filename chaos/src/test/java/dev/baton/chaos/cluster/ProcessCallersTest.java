package dev.baton.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.proxy.Callers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessCallersTest {

    @Test
    void aConnectionBelongsToTheProcessThatOpenedIt() throws IOException {
        long self = ProcessHandle.current().pid();
        assertThat(callerOfOurOwn(Map.of("n1", self))).isEqualTo("n1");
    }

    @Test
    void whoeverIsNotNamedIsAClient() throws IOException {
        assertThat(callerOfOurOwn(Map.of("init", 1L))).isEqualTo(Callers.CLIENT);
    }

    private static String callerOfOurOwn(Map<String, Long> processes) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            assertThat(caller.isConnected()).isTrue();
            return new ProcessCallers(() -> processes).callerOf(accepted);
        }
    }
}
