package dev.baton.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeHttpTest {

    /** A client of a run of 20 minutes ended by it, and nothing was asked in its place. */
    @Test
    void aLengthThatIsNoNumberIsNoAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> answer(server));

            assertThatThrownBy(() ->
                            new NodeHttp().get("127.0.0.1:" + server.getLocalPort(), "/status", Duration.ofSeconds(20)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("changed on the way");
            answering.join();
        }
    }

    private static void answer(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: \"193\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
