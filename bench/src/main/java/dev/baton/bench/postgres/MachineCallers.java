package dev.baton.bench.postgres;

import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.SocketOwners;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells from which machine a connection comes: by the process that owns its other end. A node's machine is that of all its
 * descendants, too: its server and PostgreSQL's programs connect as well.
 */
final class MachineCallers implements Callers {

    private final Supplier<Map<String, List<Long>>> processes;

    /** Whoever is none of the named processes is a client. */
    MachineCallers(Supplier<Map<String, List<Long>>> processes) {
        this.processes = processes;
    }

    @Override
    public String callerOf(Socket accepted) {
        Optional<String> socket = SocketOwners.otherEnd(accepted);
        if (socket.isPresent()) {
            for (Map.Entry<String, List<Long>> machine : processes.get().entrySet()) {
                if (machine.getValue().stream().anyMatch(pid -> SocketOwners.owns(pid, socket.get()))) {
                    return machine.getKey();
                }
            }
        }
        return CLIENT;
    }
}
