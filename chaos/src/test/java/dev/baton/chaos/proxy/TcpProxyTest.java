package dev.baton.chaos.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.plan.Link;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy in front of a server that says everything back. */
@Timeout(120)
class TcpProxyTest {

    private static final int PATIENT_MILLIS = 60_000;
    private static final int SHORT_MILLIS = 300;
    private static final int FAULT = 1;

    private final Troubles troubles = new Troubles();
    private ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private TcpProxy proxy = TcpProxy.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()),
            "server",
            Link.CLIENT,
            accepted -> "caller",
            troubles);

    TcpProxyTest() throws IOException {}

    private Thread echoing = Thread.ofVirtual().unstarted(() -> {});

    @BeforeEach
    void echoes() {
        echoing = Thread.ofVirtual().start(() -> {
            while (!echo.isClosed()) {
                try {
                    Socket socket = echo.accept();
                    Thread.ofVirtual().start(() -> sayBack(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private static void sayBack(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        } catch (IOException e) {
            // The other side broke off, as it may.
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        echo.close();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(PATIENT_MILLIS);
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static String hear(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), UTF_8);
    }

    private void begin(Trouble trouble) {
        troubles.begin(FAULT, (wire, direction) -> Optional.of(trouble));
    }

    @Test
    void everyByteComesBackAndTheEndAfterThem() throws IOException {
        byte[] much = "0123456789".repeat(100_000).getBytes(UTF_8);
        try (Socket socket = connected()) {
            Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(much);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    // told by what is missing below
                }
            });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(much);
        }
    }

    @Test
    void silenceHoldsBytesBackAndLetsThemGoAfterwards() throws IOException {
        try (Socket socket = connected()) {
            say(socket, "before");
            assertThat(hear(socket, 6)).isEqualTo("before");
            begin(Trouble.SILENT);
            say(socket, "meanwhile");
            socket.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> hear(socket, 1)).isInstanceOf(SocketTimeoutException.class);
            troubles.end(FAULT);
            socket.setSoTimeout(PATIENT_MILLIS);
            assertThat(hear(socket, 9)).isEqualTo("meanwhile");
        }
    }

    @Test
    void aConnectionMadeInSilenceIsAcceptedAndAnsweredOnlyAfterwards() throws IOException {
        begin(Trouble.SILENT);
        try (Socket socket = connected()) {
            say(socket, "hello");
            socket.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> hear(socket, 1)).isInstanceOf(SocketTimeoutException.class);
            troubles.end(FAULT);
            socket.setSoTimeout(PATIENT_MILLIS);
            assertThat(hear(socket, 5)).isEqualTo("hello");
        }
    }

    @Test
    void aResetEndsOpenConnectionsAndRefusesNewOnes() throws IOException {
        try (Socket open = connected()) {
            say(open, "x");
            assertThat(hear(open, 1)).isEqualTo("x");
            begin(Trouble.RESET);
            assertThat(ends(open)).isTrue();
            try (Socket fresh = connected()) {
                assertThat(ends(fresh)).isTrue();
            }
        }
    }

    /** Whether nothing more comes, by an error or an end, without a timeout. */
    private static boolean ends(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aDeafConnectionStaysDeafWhileNewOnesWork() throws IOException {
        try (Socket deaf = connected()) {
            say(deaf, "x");
            assertThat(hear(deaf, 1)).isEqualTo("x");
            begin(Trouble.DEAF);
            say(deaf, "lost");
            deaf.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> hear(deaf, 1)).isInstanceOf(SocketTimeoutException.class);
            troubles.end(FAULT);
            assertThatThrownBy(() -> hear(deaf, 1)).isInstanceOf(SocketTimeoutException.class);
            try (Socket fresh = connected()) {
                say(fresh, "y");
                assertThat(hear(fresh, 1)).isEqualTo("y");
            }
        }
    }

    @Test
    void aForgottenConnectionIsDumbAndThenReset() throws IOException {
        try (Socket forgotten = connected()) {
            say(forgotten, "x");
            assertThat(hear(forgotten, 1)).isEqualTo("x");
            begin(Trouble.FORGOTTEN);
            say(forgotten, "lost");
            forgotten.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> hear(forgotten, 1)).isInstanceOf(SocketTimeoutException.class);
            troubles.end(FAULT);
            forgotten.setSoTimeout(PATIENT_MILLIS);
            assertThatThrownBy(() -> hear(forgotten, 1)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void latencyHoldsEachWayForAtLeastItsTime() throws IOException {
        begin(Trouble.late(150, 0));
        try (Socket socket = connected()) {
            long beganNanos = System.nanoTime();
            say(socket, "x");
            assertThat(hear(socket, 1)).isEqualTo("x");
            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        }
    }

    @Test
    void throttlingTakesTheTimeThatTheBytesNeed() throws IOException {
        troubles.begin(
                FAULT,
                (wire, direction) ->
                        direction == Wire.Direction.THERE ? Optional.of(Trouble.slow(20_000)) : Optional.empty());
        try (Socket socket = connected()) {
            long beganNanos = System.nanoTime();
            say(socket, "x".repeat(10_000));
            assertThat(hear(socket, 10_000)).hasSize(10_000);
            say(socket, "y");
            assertThat(hear(socket, 1)).isEqualTo("y");
            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(490));
        }
    }

    @Test
    void truncationCutsInTheMiddleOfAMessage() throws IOException {
        troubles.begin(
                FAULT,
                (wire, direction) ->
                        direction == Wire.Direction.BACK ? Optional.of(Trouble.truncating(10)) : Optional.empty());
        try (Socket socket = connected()) {
            say(socket, "0123456789abcdef");
            StringBuilder heard = new StringBuilder();
            try {
                for (int c = socket.getInputStream().read();
                        c >= 0;
                        c = socket.getInputStream().read()) {
                    heard.append((char) c);
                }
            } catch (SocketTimeoutException e) {
                throw new AssertionError("the connection was not ended", e);
            } catch (IOException e) {
                // reset, as it should be
            }
            assertThat(heard).hasToString("0123456789");
        }
    }

    @Test
    void lossHoldsEveryChunkBackForATime() throws IOException {
        begin(Trouble.lossy(100, 0));
        try (Socket socket = connected()) {
            long beganNanos = System.nanoTime();
            say(socket, "x");
            assertThat(hear(socket, 1)).isEqualTo("x");
            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                    .as("both ways")
                    .isGreaterThanOrEqualTo(Duration.ofMillis(400));
        }
    }

    @Test
    void lossEndsConnectionsInTheMiddle() throws IOException {
        try (Socket socket = connected()) {
            say(socket, "x");
            assertThat(hear(socket, 1)).isEqualTo("x");
            begin(Trouble.lossy(0, 100));
            say(socket, "lost");
            assertThat(ends(socket)).isTrue();
        }
    }

    @Test
    void aFlippedByteDiffersAndIsToldOf() throws IOException {
        long beganNanos = System.nanoTime();
        assertThat(troubles.flippedSince(beganNanos)).isFalse();
        // One way only: what is changed on both may be right again.
        troubles.begin(
                FAULT,
                (wire, direction) ->
                        direction == Wire.Direction.THERE ? Optional.of(Trouble.flipping(1)) : Optional.empty());
        try (Socket socket = connected()) {
            say(socket, "aaaaaaaaaaaaaaaa");
            for (byte heard : socket.getInputStream().readNBytes(16)) {
                assertThat(Integer.bitCount((heard ^ 'a') & 0xFF))
                        .as("bits that differ")
                        .isEqualTo(1);
            }
            assertThat(troubles.flippedSince(beganNanos)).isTrue();
            assertThat(troubles.flippedSince("server", beganNanos)).isTrue();
            assertThat(troubles.flippedSince("another", beganNanos)).isFalse();
            assertThat(troubles.flippedSince(System.nanoTime() + 1)).isFalse();
        }
    }

    @Test
    void aTroubleStrikesOnlyTheWayItIsFor() throws IOException {
        troubles.begin(
                FAULT,
                (wire, direction) ->
                        wire.receiver(direction).equals("server") ? Optional.of(Trouble.SILENT) : Optional.empty());
        try (Socket socket = connected()) {
            say(socket, "x");
            socket.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> hear(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        }
        troubles.begin(
                FAULT,
                (wire, direction) -> wire.receiver(direction).equals("somebody else")
                        ? Optional.of(Trouble.SILENT)
                        : Optional.empty());
        try (Socket socket = connected()) {
            say(socket, "x");
            assertThat(hear(socket, 1)).isEqualTo("x");
        }
    }

    @Test
    void whenNobodyListensBehindTheCallerIsReset() throws IOException, InterruptedException {
        echo.close();
        // A thread in accept may take one more caller after the close, and would then listen to it for ever.
        echoing.join();
        try (Socket socket = connected()) {
            assertThat(ends(socket)).isTrue();
        }
    }

    @Test
    void aProxyOfADeadProcessRefusesUntilItIsBack() throws IOException, InterruptedException {
        proxy.refuse();
        assertThatThrownBy(this::connected).isInstanceOf(ConnectException.class);
        proxy.admit();
        try (Socket socket = connected()) {
            say(socket, "x");
            assertThat(hear(socket, 1)).isEqualTo("x");
        }
    }

    /** It once could not listen again so soon, and the process behind it was never seen again. */
    @Test
    void aPortThatIsClosedAndOpenedInOneBreathIsOpen() throws IOException, InterruptedException {
        try (Socket stays = connected()) {
            say(stays, "x");
            assertThat(hear(stays, 1))
                    .as("it is taken, and not only waiting to be")
                    .isEqualTo("x");
            for (int i = 0; i < 200; i++) {
                proxy.refuse();
                proxy.admit();
                connected().close();
            }
            say(stays, "x");
            assertThat(hear(stays, 1)).isEqualTo("x");
        }
    }
}
