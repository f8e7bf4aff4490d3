package dev.baton.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A Redis of its own, which syncs to disk before it answers. */
final class RedisProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private RedisProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Blocks until it answers. */
    static RedisProcess start(Path folder) throws IOException, InterruptedException {
        return start(folder, "always");
    }

    /** @param fsync when it syncs: always, everysec or no */
    static RedisProcess start(Path folder, String fsync) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int port = freePort();
        Process process = new ProcessBuilder(
                        "redis-server",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        folder.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        fsync,
                        "--auto-aof-rewrite-percentage",
                        "0",
                        "--daemonize",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        RedisProcess started = new RedisProcess(process, port);
        started.awaitAnswer();
        return started;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > giveUpNanos) {
                close();
                throw new IllegalStateException("redis-server on port " + port
                        + " does not answer (expected: installed," + " and allowed to listen there)");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return in.read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** From now on it accepts connections and answers nothing. */
    void freeze() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
