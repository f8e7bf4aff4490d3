package dev.baton.duty.remote.peer;

import dev.baton.core.timing.Fault;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a sequencer process works.
 *
 * @param listen where it serves the Admin Control API and its blocks
 * @param opStack where it serves an OP Stack node's JSON-RPC; then {@code listen} serves blocks alone
 * @param data its blocks, and what it remembers of terms
 * @param blockInterval from one block to the next
 * @param key the key with which lease tokens are sealed; not needed by an OP Stack node, which knows none
 * @param follow where it gets the blocks of others from
 * @param active whether it works at once, as long as no lease was ever shown to it
 */
public record PeerSettings(
        InetSocketAddress listen,
        Optional<InetSocketAddress> opStack,
        Path data,
        Duration blockInterval,
        Optional<Path> key,
        List<String> follow,
        boolean active,
        Optional<Tls> tls) {

    /** PEM files; whoever calls must show a certificate that {@code trust} signed. */
    public record Tls(Path certificate, Path key, Path trust) {}

    public PeerSettings {
        follow = List.copyOf(follow);
    }

    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        if (!isLoopback(listen) && tls.isEmpty()) {
            faults.add(new Fault(
                    "--listen",
                    show(listen),
                    "a loopback address, or --certificate, --private-key and --trust: whoever reaches this port can"
                            + " stop the sequencer"));
        }
        opStack.filter(at -> !isLoopback(at))
                .ifPresent(at -> faults.add(new Fault(
                        "--op-stack", show(at), "a loopback address, because the OP Stack's admin API has no guard")));
        if (blockInterval.toMillis() < 1) {
            faults.add(new Fault("--block-interval", blockInterval.toString(), "1ms or longer"));
        }
        if (key.isEmpty() && opStack.isEmpty()) {
            faults.add(new Fault("--key", "missing", "the file with the cluster's key, as baton certs makes it"));
        }
        return faults;
    }

    private static boolean isLoopback(InetSocketAddress address) {
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    static String show(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
