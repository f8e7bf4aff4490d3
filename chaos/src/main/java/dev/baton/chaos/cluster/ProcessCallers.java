package dev.baton.chaos.cluster;

import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.SocketOwners;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells who opened a connection by the process that owns its other end.
 *
 * <p>So every process can know every other by one address, and still each link can be hurt alone.
 */
final class ProcessCallers implements Callers {

    private final Supplier<Map<String, Long>> processes;

    /** Whoever is none of the named processes is a client. */
    ProcessCallers(Supplier<Map<String, Long>> processes) {
        this.processes = processes;
    }

    @Override
    public String callerOf(Socket accepted) {
        Optional<String> socket = SocketOwners.otherEnd(accepted);
        if (socket.isPresent()) {
            for (Map.Entry<String, Long> each : processes.get().entrySet()) {
                if (SocketOwners.owns(each.getValue(), socket.get())) {
                    return each.getKey();
                }
            }
        }
        return CLIENT;
    }
}
