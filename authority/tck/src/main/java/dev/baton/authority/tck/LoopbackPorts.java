package dev.baton.authority.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Ports of loopback on which nobody listens, each given once in a long while.
 *
 * <p>Each process that tests has a block of ports for itself: a server that is down for a moment, to be started again
 * where it was, must not find that the tests beside it have taken its port.
 */
public final class LoopbackPorts {

    /** Below what systems give to outgoing connections, and beside what chaos runs take. */
    private static final int LOWEST = 20_000;

    private static final int BLOCK = 200;
    private static final int BLOCKS = 30;

    private static final LoopbackPorts OURS = claim();

    private final int lowest;

    @SuppressWarnings("unused") // the lock is held as long as the process lives
    private final FileChannel lock;

    private int given;

    private LoopbackPorts(int lowest, FileChannel lock) {
        this.lowest = lowest;
        this.lock = lock;
    }

    /** The next port of this process. */
    public static int next() {
        return OURS.take();
    }

    /** The same, as an address that others can be told. */
    public static String nextAddress() {
        return "127.0.0.1:" + next();
    }

    private synchronized int take() {
        for (int attempt = 0; attempt < BLOCK; attempt++) {
            int port = lowest + given++ % BLOCK;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + lowest + " to " + (lowest + BLOCK - 1));
    }

    private static LoopbackPorts claim() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "baton-ports-" + System.getProperty("user.name"));
        try {
            Files.createDirectories(folder);
            for (int block = 0; block < BLOCKS; block++) {
                int lowest = LOWEST + block * BLOCK;
                FileChannel file = FileChannel.open(
                        folder.resolve(Integer.toString(lowest)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (file.tryLock() != null) {
                    return new LoopbackPorts(lowest, file);
                }
                file.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(folder.toString(), e);
        }
        throw new IllegalStateException("all " + BLOCKS + " blocks of ports are taken, see " + folder);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
