package dev.baton.chaos.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who there is, and where each listens.
 *
 * @param folder everything that the processes write is below it
 * @param forgetful whether engine servers answer before what they were told is on the disk
 */
record Layout(
        Path folder,
        String authority,
        SeatKind duty,
        boolean forgetful,
        List<NodePlaces> nodes,
        List<EnginePlaces> engines,
        List<ResourcePlace> resources) {

    static final String CLUSTER = "chaos";

    private static final int NODES = 3;
    private static final int PORTS_OF_NODE = 5;
    private static final int PORTS_OF_ENGINE = 2;

    /** Where a node listens. */
    record NodePlaces(String name, Place grpc, Place http, Place raft, Place admin, Place duty) {}

    /** Where an engine server listens; only those of etcd and NATS talk to each other. */
    record EnginePlaces(String name, Place client, Place peer) {}

    /** Where a server listens that the duty works on. */
    record ResourcePlace(String name, Place place) {}

    static Layout of(Path folder, String authority, SeatKind duty, boolean forgetful) throws IOException {
        int engines = EngineKinds.of(authority).servers();
        Iterator<Place> free = Place.free(NODES * PORTS_OF_NODE
                        + engines * PORTS_OF_ENGINE
                        + duty.resources().size())
                .iterator();
        List<NodePlaces> nodePlaces = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            nodePlaces.add(new NodePlaces("n" + i, free.next(), free.next(), free.next(), free.next(), free.next()));
        }
        List<EnginePlaces> enginePlaces = new ArrayList<>();
        for (int i = 1; i <= engines; i++) {
            enginePlaces.add(new EnginePlaces(authority + "-" + i, free.next(), free.next()));
        }
        List<ResourcePlace> resourcePlaces = duty.resources().stream()
                .map(name -> new ResourcePlace(name, free.next()))
                .toList();
        return new Layout(
                folder, authority, duty, forgetful, List.copyOf(nodePlaces), List.copyOf(enginePlaces), resourcePlaces);
    }

    NodePlaces placesOf(String node) {
        return nodes.stream()
                .filter(each -> each.name().equals(node))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("node: " + node + " (expected: one of " + nodeNames() + ")"));
    }

    EngineKind kind() {
        return EngineKinds.of(authority);
    }

    /** What a server keeps, and loses when it comes back blank. */
    Path dataOf(String engine) {
        return folderOf(engine).resolve("data");
    }

    Path folderOf(String name) {
        return folder.resolve(name);
    }

    Path logOf(String name) {
        return folderOf(name).resolve("log");
    }

    List<String> nodeNames() {
        return nodes.stream().map(NodePlaces::name).toList();
    }

    List<String> engineNames() {
        return engines.stream().map(EnginePlaces::name).toList();
    }

    /** What runs beside a node, at the place that the node keeps for its duty. */
    Optional<String> companionOf(String node) {
        return duty.companion().map(word -> word + "-" + node);
    }

    List<String> companions() {
        return nodeNames().stream().flatMap(node -> companionOf(node).stream()).toList();
    }

    /** All that has to run before the nodes do. */
    List<String> serverNames() {
        return Stream.of(
                        engineNames(),
                        resources.stream().map(ResourcePlace::name).toList(),
                        companions())
                .flatMap(List::stream)
                .toList();
    }
}
