package dev.baton.cli.up;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Whether Redis nodes of this machine answer yet. */
final class OwnRedis {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int ANSWER_MILLIS = 500;
    private static final long EACH_MILLIS = 20;
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String PONG = "+PONG";

    private OwnRedis() {}

    /** Returns when all of them have read their data and answer. */
    static void awaitAll(List<String> addresses) throws CliFailure, InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        for (String address : addresses) {
            while (!answers(address)) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new CliFailure(
                            Exit.ENGINE,
                            "the Redis at " + address + " does not answer within " + PATIENCE.toSeconds()
                                    + " s (expected: PONG; its log is in its folder)");
                }
                Thread.sleep(EACH_MILLIS);
            }
        }
    }

    private static boolean answers(String address) {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(PING);
            byte[] answer = socket.getInputStream().readNBytes(PONG.length());
            return new String(answer, StandardCharsets.US_ASCII).equals(PONG);
        } catch (IOException e) {
            return false;
        }
    }
}
