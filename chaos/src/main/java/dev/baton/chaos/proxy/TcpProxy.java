package dev.baton.chaos.proxy;

import dev.baton.chaos.plan.Link;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

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

    /** How often a port that is to be opened again is tried: it is ours, so it will be free. */
    private static final int MOST_TRIES = 100;

    private static final long BETWEEN_TRIES_MILLIS = 20;

    private final InetSocketAddress address;
    private final InetSocketAddress target;
    private final String owner;
    private final Link link;
    private final Callers callers;
    private final Troubles troubles;
    private final Set<Conversation> open = ConcurrentHashMap.newKeySet();
    private ServerSocket server;
    private Thread accepting;
    private boolean over;

    private TcpProxy(
            ServerSocket server,
            InetSocketAddress target,
            String owner,
            Link link,
            Callers callers,
            Troubles troubles) {
        this.server = server;
        this.address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        this.target = target;
        this.owner = owner;
        this.link = link;
        this.callers = callers;
        this.troubles = troubles;
        this.accepting = acceptAt(server);
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
        return new TcpProxy(listening(listen), target, owner, link, callers, troubles);
    }

    private static ServerSocket listening(InetSocketAddress listen) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(listen, BACKLOG);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    public int port() {
        return address.getPort();
    }

    /** The name of the process behind. */
    public String owner() {
        return owner;
    }

    /** What passes here. */
    public Link link() {
        return link;
    }

    /**
     * New connections are refused from now on, as the operating system does where nobody listens. Open ones are left
     * to their fate.
     */
    public synchronized void refuse() throws IOException, InterruptedException {
        server.close();
        // The port is free only when the thread that waits for callers has noticed: a socket with a virtual thread in
        // accept is not closed before. Whoever listened again sooner was told that the address is in use.
        accepting.join();
    }

    /** Callers are let in again; nothing happens if they are, or if this proxy was closed. */
    public synchronized void admit() throws IOException, InterruptedException {
        for (int tries = 1; server.isClosed() && !over; tries++) {
            try {
                server = listening(address);
                accepting = acceptAt(server);
            } catch (BindException e) {
                if (tries == MOST_TRIES) {
                    throw new IOException("the port " + address + " of " + owner + " cannot be opened again", e);
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MILLIS);
            }
        }
    }

    private Thread acceptAt(ServerSocket listening) {
        return Thread.ofVirtual().name("proxy of " + owner).start(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket caller = listening.accept();
                    Thread.ofVirtual().start(() -> serve(caller));
                } catch (IOException e) {
                    // Closed, or the caller was gone again before we could take it.
                }
            }
        });
    }

    private void serve(Socket caller) {
        String from = callers.callerOf(caller);
        Wire wire = new Wire(from, owner, callers.linkOf(from, link));
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
    public synchronized void close() throws IOException {
        over = true;
        server.close();
        open.forEach(Conversation::reset);
    }
}
