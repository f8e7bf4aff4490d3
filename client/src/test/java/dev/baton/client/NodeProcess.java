package dev.baton.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A stand-in in a process of its own, so that a measurement of the client does not share its heap. */
final class NodeProcess implements AutoCloseable {

    private final Process process;
    private final String address;

    private NodeProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    static NodeProcess start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        NodeProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader();
        return new NodeProcess(process, out.readLine());
    }

    String address() {
        return address;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    public static void main(String[] args) throws Exception {
        StandIn node = new StandIn(new Ledger(false), 0).keepNoRequests();
        System.out.println(node.address());
        System.out.flush();
        Thread.currentThread().join();
    }
}
