package dev.baton.chaos.proxy;

import dev.baton.chaos.plan.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in front of one port of one process and passes bytes on, both ways, as the {@link Troubles} allow.
 *
 * <p>There is one for all callers: each connection is asked for its caller, so that links can be hurt one by one while
 * everybody knows the port by the same address.
 */
public final class TcpProxy implements AutoCloseable {

    /** Many: a refused connection must be our decision. */
    private static final int BACKLOG = 512;

    private static final int CONNECT_MILLIS = 5000;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final String owner;
    private final Link link;
    private final Callers callers;
    private final Troubles troubles;
    private final Set<Conversation> open = ConcurrentHashMap.newKeySet();

    private TcpProxy(
            ServerSocket server,
            InetSocketAddress target,
            String owner,
            Link link,
            Callers callers,
            Troubles troubles) {
        this.server = server;
        this.target = target;
        this.owner = owner;
        this.link = link;
        this.callers = callers;
        this.troubles = troubles;
    }

    /** Listens at once; {@code owner} is the name of the process behind. */
    public static TcpProxy open(
            InetSocketAddress listen,
            InetSocketAddress target,
            String owner,
            Link link,
            Callers callers,
            Troubles troubles)
            throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(listen, BACKLOG);
        TcpProxy proxy = new TcpProxy(server, target, owner, link, callers, troubles);
        Thread.ofVirtual().name("proxy of " + owner).start(proxy::accept);
        return proxy;
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> serve(caller));
            } catch (IOException e) {
                // Closed, or the caller was gone again before we could take it.
            }
        }
    }

    private void serve(Socket caller) {
        Wire wire = new Wire(callers.callerOf(caller), owner, link);
        Socket called = new Socket();
        Conversation conversation = new Conversation(wire, caller, called, troubles);
        open.add(conversation);
        try {
            if (troubles.on(wire, Wire.Direction.THERE).reset()) {
                conversation.reset();
                return;
            }
            called.connect(target, CONNECT_MILLIS);
            conversation.run();
        } catch (IOException e) {
            // Nobody behind us: the caller gets a reset, as it would have got a refusal.
            conversation.reset();
        } finally {
            conversation.close();
            open.remove(conversation);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        open.forEach(Conversation::reset);
    }
}
