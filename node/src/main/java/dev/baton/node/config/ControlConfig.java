package dev.baton.node.config;

import dev.baton.control.rpc.Limits;
import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The control plane of a node.
 *
 * @param key the file with the cluster's key, the same on all nodes
 * @param policy who may do what; without one, whoever is on the machine steers
 * @param tls the listener's own files; {@code trust} holds the authorities of clients, which need not be those of nodes
 */
public record ControlConfig(
        HostPort listen, Path key, Optional<Path> policy, Optional<NodeConfig.Tls> tls, Limits limits) {

    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 7404);

    List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        if (!listen.isLoopback() && tls.isEmpty()) {
            faults.add(new Fault(
                    "control.listen",
                    listen.toString(),
                    "a loopback address such as " + DEFAULT_LISTEN + ", or control.tls with certificate, key and trust:"
                            + " whoever reaches this port can move the seats"));
        }
        if (tls.isPresent() && policy.isEmpty()) {
            faults.add(new Fault(
                    "control.policy", "missing", "a file that says which names in certificates have which roles"));
        }
        return faults;
    }
}
