package dev.baton.bench.postgres;

import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.TcpProxy;
import dev.baton.chaos.proxy.Trouble;
import dev.baton.chaos.proxy.Troubles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The machines' cables: what goes from one to another, or to a client, passes here, until its cable is pulled out. */
final class Cables implements AutoCloseable {

    private static final int UNPLUGGED = 1;

    private final Troubles troubles = new Troubles();
    private final List<TcpProxy> proxies = new ArrayList<>();

    /**
     * Lays the cable of one machine.
     *
     * @param peers the ports that other machines use
     * @param postgres the port that clients use, too
     * @param callers tells which machine a connection comes from
     */
    void lay(String machine, List<Integer> peers, int postgres, Callers callers) throws IOException {
        for (int port : peers) {
            lay(machine, port, Link.PEER, callers);
        }
        lay(machine, postgres, Link.CLIENT, callers);
    }

    private void lay(String machine, int port, Link link, Callers callers) throws IOException {
        proxies.add(TcpProxy.open(
                new InetSocketAddress(Places.SHOWN, port),
                new InetSocketAddress(Places.BEHIND, port),
                machine,
                link,
                callers,
                troubles));
    }

    /** Nothing comes from this machine, and nothing goes to it, from now on; nobody is told. */
    void unplug(String machine) {
        troubles.begin(
                UNPLUGGED, (wire, direction) -> wire.touches(machine) ? Optional.of(Trouble.SILENT) : Optional.empty());
    }

    void plugIn() {
        troubles.end(UNPLUGGED);
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy proxy : proxies) {
            proxy.close();
        }
    }
}
