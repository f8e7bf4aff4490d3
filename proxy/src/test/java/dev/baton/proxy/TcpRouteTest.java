package dev.baton.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpRouteTest {

    /** Sends back a letter of its own, then whatever it is sent. */
    private static final class Echo implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        private final char letter;

        Echo(char letter) throws IOException {
            this.letter = letter;
            Thread.startVirtualThread(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    Thread.startVirtualThread(() -> echo(socket));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void echo(Socket socket) {
            try (socket) {
                socket.getOutputStream().write(letter);
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException e) {
                // the other side is gone
            }
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    private static Socket connect(Proxy proxy) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(),
                proxy.tcpAddress().orElseThrow().getPort());
    }

    @Test
    void connectionsReachTheHolderWholeAndHalfClosed() throws Exception {
        byte[] sent = new byte[3 << 20];
        new Random(1).nextBytes(sent);
        try (StandIn node = new StandIn("n1");
                Echo echo = new Echo('a');
                Proxy proxy = new TestProxy().tcp(node.holds(1), echo.port()).start();
                Socket socket = connect(proxy)) {
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('a');
            CompletableFuture<byte[]> back = CompletableFuture.supplyAsync(() -> {
                try {
                    return in.readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            socket.getOutputStream().write(sent);
            socket.shutdownOutput();
            assertThat(Arrays.equals(back.get(), sent)).isTrue();
        }
    }

    @Test
    void connectionsWaitForAHolderAndEndWhenItChanges() throws Exception {
        try (StandIn n1 = new StandIn("n1");
                StandIn n2 = new StandIn("n2");
                Echo first = new Echo('1');
                Echo second = new Echo('2');
                Proxy proxy = new TestProxy()
                        .tcp(n1, first.port())
                        .tcp(n2, second.port())
                        .start();
                Socket early = connect(proxy)) {
            n1.holds(1);
            assertThat(early.getInputStream().read()).isEqualTo('1');
            n2.holds(2);
            assertThat(early.getInputStream().read()).isEqualTo(-1);
            try (Socket next = connect(proxy)) {
                assertThat(next.getInputStream().read()).isEqualTo('2');
            }
        }
    }

    @Test
    void aNodeThatRefusesConnectionsIsTriedAgain() throws Exception {
        try (StandIn n1 = new StandIn("n1");
                StandIn n2 = new StandIn("n2");
                Echo dead = new Echo('1');
                Echo second = new Echo('2');
                Proxy proxy = new TestProxy()
                        .tcp(n1, dead.port())
                        .tcp(n2, second.port())
                        .start()) {
            dead.close();
            n1.holds(1);
            await().until(() -> proxy.holder().isPresent());
            try (Socket socket = connect(proxy)) {
                n2.holds(2);
                assertThat(socket.getInputStream().read()).isEqualTo('2');
            }
        }
    }
}
