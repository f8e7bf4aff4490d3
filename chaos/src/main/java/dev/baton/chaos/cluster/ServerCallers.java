package dev.baton.chaos.cluster;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.SocketOwners;
import java.net.Socket;
import java.util.Optional;

/** Also knows servers that nodes have started, as databases that follow each other, by the folder they work in. */
final class ServerCallers implements Callers {

    private final Layout layout;
    private final Callers nodes;

    ServerCallers(Layout layout, Callers nodes) {
        this.layout = layout;
        this.nodes = nodes;
    }

    @Override
    public String callerOf(Socket accepted) {
        String node = nodes.callerOf(accepted);
        if (!node.equals(CLIENT)) {
            return node;
        }
        Optional<String> socket = SocketOwners.otherEnd(accepted);
        if (socket.isPresent()) {
            for (String each : layout.nodeNames()) {
                for (long pid : Inhabitants.of(layout.folderOf(each))) {
                    if (SocketOwners.owns(pid, socket.get())) {
                        return each;
                    }
                }
            }
        }
        return CLIENT;
    }

    /** Where clients call a database, another one that follows it calls too: these two are peers. */
    @Override
    public Link linkOf(String caller, Link usual) {
        return caller.equals(CLIENT) ? usual : Link.PEER;
    }
}
