package dev.baton.chaos.cluster;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import java.net.Socket;
import java.util.List;

/** What runs beside a node is called by clients, by the node that steers it, and by others of its kind. */
final class CompanionCallers implements Callers {

    private final List<String> nodes;
    private final Callers processes;

    CompanionCallers(List<String> nodes, Callers processes) {
        this.nodes = List.copyOf(nodes);
        this.processes = processes;
    }

    @Override
    public String callerOf(Socket accepted) {
        return processes.callerOf(accepted);
    }

    @Override
    public Link linkOf(String caller, Link usual) {
        if (caller.equals(CLIENT)) {
            return usual;
        }
        return nodes.contains(caller) ? Link.RESOURCE : Link.PEER;
    }
}
