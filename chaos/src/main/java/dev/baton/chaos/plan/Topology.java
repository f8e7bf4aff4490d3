package dev.baton.chaos.plan;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What there is to break: the nodes, the engine's servers and the kinds of connection between them.
 *
 * @param engines the engine's servers; empty if the engine lives inside the nodes
 * @param companions processes that nodes have beside them, one for each; empty if the duty needs none
 * @param forgetful whether a server that is killed may have lost what it was told in the last second
 */
public record Topology(
        String authority,
        List<String> nodes,
        List<String> engines,
        List<String> companions,
        Set<Link> links,
        boolean forgetful) {

    public Topology {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("nodes: none (expected: 1 or more)");
        }
        nodes = List.copyOf(nodes);
        engines = List.copyOf(engines);
        companions = List.copyOf(companions);
        // In the order of the enum, so that the same seed meets them in the same order.
        links = Collections.unmodifiableSet(new TreeSet<>(links));
    }

    /** The usual links of an authority: Redis servers do not talk to each other, the servers of the others do. */
    public static Topology of(String authority, List<String> nodes, List<String> engines) {
        Set<Link> links = new TreeSet<>(Set.of(Link.CLIENT));
        if (nodes.size() > 1) {
            links.add(Link.PEER);
        }
        if (!engines.isEmpty()) {
            links.add(Link.ENGINE);
        }
        if (engines.size() > 1 && !authority.equals("redis")) {
            links.add(Link.ENGINE_PEER);
        }
        return new Topology(authority, nodes, engines, List.of(), links, false);
    }

    /** The same with servers that answer before what they were told is on the disk. */
    public Topology thatForgets() {
        return new Topology(authority, nodes, engines, companions, links, true);
    }

    /** The same with servers that the duty works on. */
    public Topology thatWorksOnServers() {
        Set<Link> more = new TreeSet<>(links);
        more.add(Link.RESOURCE);
        return new Topology(authority, nodes, engines, companions, more, forgetful);
    }

    /** The same with a process beside each node, which the node reaches as it reaches a server that it works on. */
    public Topology withCompanions(List<String> names) {
        return new Topology(
                authority, nodes, engines, names, thatWorksOnServers().links(), forgetful);
    }

    /** Those that do the same as this one. */
    public List<String> alike(String name) {
        return Stream.of(engines, companions)
                .filter(all -> all.contains(name))
                .findFirst()
                .orElse(nodes);
    }

    /** Whoever keeps the ledger on a disk. */
    List<String> storage() {
        return engines.isEmpty() ? nodes : engines;
    }

    /** The most of so many that can be missing while a majority is left. */
    static int minorityOf(int count) {
        return (count - 1) / 2;
    }
}
