package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.chaos.cluster.Layout.NodePlaces;
import dev.baton.chaos.cluster.Layout.ResourcePlace;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.proxy.Callers;
import dev.baton.chaos.proxy.TcpProxy;
import dev.baton.chaos.proxy.Troubles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A proxy in front of every port of every process. */
final class Proxies implements AutoCloseable {

    private final Troubles troubles = new Troubles();
    private final List<TcpProxy> proxies = new ArrayList<>();

    /** Opens all of them; {@code pids} tells which processes there are, so that connections have a caller. */
    void open(Layout layout, Supplier<Map<String, Long>> pids) throws IOException {
        Callers byProcess = new ProcessCallers(pids);
        Callers byFolder = new ServerCallers(layout, byProcess);
        Callers byCompanion = new CompanionCallers(layout.nodeNames(), byProcess);
        Callers clients = accepted -> Callers.CLIENT;
        for (NodePlaces node : layout.nodes()) {
            open(node.grpc(), node.name(), Link.PEER, byProcess);
            open(node.raft(), node.name(), Link.PEER, byProcess);
            open(node.http(), node.name(), Link.CLIENT, clients);
            Optional<String> companion = layout.companionOf(node.name());
            open(
                    node.duty(),
                    companion.orElse(node.name()),
                    Link.CLIENT,
                    companion.isPresent() ? byCompanion : byFolder);
        }
        for (EnginePlaces engine : layout.engines()) {
            open(engine.client(), engine.name(), Link.ENGINE, byProcess);
            open(engine.peer(), engine.name(), Link.ENGINE_PEER, byProcess);
        }
        for (ResourcePlace resource : layout.resources()) {
            open(resource.place(), resource.name(), Link.RESOURCE, byProcess);
        }
    }

    private void open(Place place, String owner, Link link, Callers callers) throws IOException {
        proxies.add(TcpProxy.open(place.shown(), place.behind(), owner, link, callers, troubles));
    }

    Troubles troubles() {
        return troubles;
    }

    /** What is gone refuses connections, so that those who look for evidence of its end find it. */
    void refuse(String owner) throws IOException, InterruptedException {
        refuse(each -> each.owner().equals(owner));
    }

    /** The same for one kind of connection alone, of a process that lives. */
    void refuse(String owner, Link link) throws IOException, InterruptedException {
        refuse(each -> each.owner().equals(owner) && each.link() == link);
    }

    private void refuse(Predicate<TcpProxy> which) throws IOException, InterruptedException {
        for (TcpProxy each : proxies) {
            if (which.test(each)) {
                each.refuse();
            }
        }
    }

    void admit(String owner) throws IOException, InterruptedException {
        for (TcpProxy each : proxies) {
            if (each.owner().equals(owner)) {
                each.admit();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy each : proxies) {
            each.close();
        }
    }
}
