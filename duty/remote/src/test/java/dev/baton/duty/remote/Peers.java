package dev.baton.duty.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.authority.tck.LoopbackPorts;
import dev.baton.duty.remote.admin.AdminApiSequencer;
import dev.baton.duty.remote.admin.LeaseKey;
import dev.baton.duty.remote.admin.LeaseTokens;
import dev.baton.duty.remote.opstack.OpStackSequencer;
import dev.baton.wire.remote.v1.Block;
import dev.baton.wire.remote.v1.BlockServiceGrpc;
import dev.baton.wire.remote.v1.BlocksRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Sequencer processes of one test, in its folder. */
final class Peers implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final Duration CALL_TIMEOUT = Duration.ofMillis(800);

    enum Kind {
        ADMIN,
        OP_STACK
    }

    /** One process, its port, and a connection to its blocks. */
    record Peer(String name, Kind kind, Process process, int port, int opPort, Path log, ManagedChannel channel) {

        String address() {
            return "127.0.0.1:" + port;
        }

        List<Block> blocks() {
            List<Block> all = new ArrayList<>();
            while (true) {
                List<Block> more = BlockServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PATIENCE)
                        .withWaitForReady()
                        .blocks(BlocksRequest.newBuilder()
                                .setFromNumber(all.size() + 1L)
                                .setLimit(1000)
                                .build())
                        .getBlocksList();
                if (more.isEmpty()) {
                    return all;
                }
                all.addAll(more);
            }
        }

        long height() {
            return blocks().size();
        }

        String said() throws IOException {
            return Files.readString(log);
        }

        void signal(String name) throws Exception {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }

        void kill() throws Exception {
            process.destroyForcibly().waitFor();
        }
    }

    private final Path folder;
    private final Path key;
    private final List<AutoCloseable> opened = new ArrayList<>();

    Peers(Path folder) throws IOException {
        this.folder = folder;
        this.key = newKey("cluster.key", (byte) 7);
    }

    Path newKey(String name, byte content) throws IOException {
        byte[] secret = new byte[32];
        secret[0] = content;
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, Base64.getEncoder().encodeToString(secret));
    }

    Path key() {
        return key;
    }

    Peer start(String name, Kind kind, boolean active, Peer... followed) throws Exception {
        return start(
                name,
                kind,
                active,
                LoopbackPorts.next(),
                List.of(followed).stream().map(Peer::address).toList());
    }

    /** A small process of this class, which logs as the tests do. */
    static List<String> java(Class<?> main) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    }

    /** Also starts a process again that has ended, on its old folder. */
    Peer start(String name, Kind kind, boolean active, int port, List<String> follow) throws Exception {
        int opPort = kind == Kind.OP_STACK ? LoopbackPorts.next() : 0;
        Path log = folder.resolve(name + ".log");
        List<String> command = java(PeerMain.class);
        command.addAll(List.of(
                folder.resolve(name).toString(),
                key.toString(),
                Integer.toString(port),
                Integer.toString(opPort),
                active ? "active" : "idle"));
        command.addAll(follow);
        Files.deleteIfExists(log);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        opened.add(process::destroyForcibly);
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .build();
        opened.add(channel::shutdownNow);
        await().atMost(PATIENCE).until(() -> {
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            return Files.readString(log).contains("listening at");
        });
        return new Peer(name, kind, process, port, opPort, log, channel);
    }

    /** How a sidecar reaches it; the caller closes it, or the duty does. */
    RemoteSequencer connect(Peer peer) throws IOException {
        return switch (peer.kind()) {
            case ADMIN -> connect(peer, key);
            case OP_STACK -> new OpStackSequencer(URI.create("http://127.0.0.1:" + peer.opPort()), CALL_TIMEOUT);
        };
    }

    static RemoteSequencer connect(Peer peer, Path key) throws IOException {
        return new AdminApiSequencer(
                peer.address(), InsecureChannelCredentials.create(), CALL_TIMEOUT, new LeaseTokens(LeaseKey.read(key)));
    }

    static RemoteView see(RemoteSequencer remote, BlockRef recorded) {
        return await().atMost(PATIENCE).until(() -> remote.look(recorded), Looked.Seen.class::isInstance)
                        instanceof Looked.Seen(RemoteView view)
                ? view
                : unreachable();
    }

    private static RemoteView unreachable() {
        throw new AssertionError("awaited a view");
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }
}
