package dev.baton.chaos.plan;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What there is to break: the nodes, the engine's servers and the kinds of connection between them.
 *
 * @param engines the engine's servers; empty if the engine lives inside the nodes
 * @param forgetful whether a server that is killed may have lost what it was told in the last second
 */
public record Topology(String authority, List<String> nodes, List<String> engines, Set<Link> links, boolean forgetful) {

    public Topology {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("nodes: none (expected: 1 or more)");
        }
        nodes = List.copyOf(nodes);
        engines = List.copyOf(engines);
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
        return new Topology(authority, nodes, engines, links, false);
    }

    /** The same with servers that answer before what they were told is on the disk. */
    public Topology thatForgets() {
        return new Topology(authority, nodes, engines, links, true);
    }

    /** The same with servers that the duty works on. */
    public Topology thatWorksOnServers() {
        Set<Link> more = new TreeSet<>(links);
        more.add(Link.RESOURCE);
        return new Topology(authority, nodes, engines, more, forgetful);
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
