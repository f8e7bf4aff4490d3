package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.presence.PeerChannels;
import dev.baton.wire.node.v1.NodeServiceGrpc;
import dev.baton.wire.node.v1.Presence;
import dev.baton.wire.node.v1.StatusRequest;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@link SeatlessNode} in a process of its own, which really can be killed and stopped. */
final class ChildNode implements AutoCloseable {

    private final Process process;
    private final Holder holder;

    private ChildNode(Process process, Holder holder) {
        this.process = process;
        this.holder = holder;
    }

    /** Starts it with this configuration, and waits until it answers under the address. */
    static ChildNode start(Path folder, String yaml, String address, Optional<NodeConfig.Tls> tls) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "child", ".yaml"), yaml);
        Path out = Files.createTempFile(folder, "child", ".out");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SeatlessNode.class.getName(),
                        file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            await("the child is up").atMost(Duration.ofSeconds(40)).until(() -> {
                assertThat(process.isAlive()).as(() -> output(out)).isTrue();
                return output(out).contains(SeatlessNode.READY);
            });
            Presence presence = ask(address, tls);
            return new ChildNode(
                    process, new Holder(new NodeId(presence.getNode()), new Incarnation(presence.getIncarnation())));
        } catch (IOException | RuntimeException | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String output(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Presence ask(String address, Optional<NodeConfig.Tls> tls) throws IOException {
        ManagedChannel channel = PeerChannels.factory(tls).apply(address);
        try {
            return NodeServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(Duration.ofSeconds(20))
                    .status(StatusRequest.getDefaultInstance())
                    .getPresence();
        } finally {
            channel.shutdownNow();
        }
    }

    Holder holder() {
        return holder;
    }

    void kill() {
        process.destroyForcibly(); // SIGKILL
    }

    void terminate() throws InterruptedException {
        process.destroy(); // SIGTERM
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    void freeze() throws Exception {
        signal("STOP");
    }

    void thaw() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
