package dev.baton.chaos.cluster;

import dev.baton.chaos.history.Held;
import dev.baton.core.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a cluster has to know of a duty to run nodes that do it. */
public interface SeatKind {

    String name();

    /** The seat whose holder is "the leader" for faults. */
    String seat();

    /** The seat whose ledger is read out of the engine at the end. */
    default String ledgerSeat() {
        return seat();
    }

    /** What an entry of that ledger says that every store must hold; nothing if it says nothing of the kind. */
    default Optional<Held> held(Entry entry) {
        return Optional.of(Ledgers.held(entry));
    }

    /** Where in its status a node tells how far it is, counted as readers of this duty count. */
    default String heightField() {
        return "height";
    }

    /** How long a silent holder keeps the seat. */
    default Duration lease() {
        return Cluster.LEASE;
    }

    /** Whether every node that follows becomes ready to lead, sooner or later, as long as another one leads. */
    default boolean everyFollowerBecomesReady() {
        return true;
    }

    /** The items below {@code seats:} in the file of a node; {@link SeatYaml} writes what all have in common. */
    String seats(NodeFacts node);

    /** Servers that the duty works on, beside those of the engine; nodes reach each through a proxy. */
    default List<String> resources() {
        return List.of();
    }

    /**
     * Writes the configuration of such a server into its folder, and tells how it is started; the last word is the file.
     * What it keeps goes below {@code data} in that folder.
     */
    default List<String> prepare(String resource, String host, int port, Path folder) throws IOException {
        throw new IllegalStateException(name() + " works on no server called " + resource);
    }

    /**
     * Puts further files beside those of a node, before it is started.
     *
     * @param all the folder that has the folders of all nodes in it
     */
    default void furnish(Path all, Path node) throws IOException {}

    /**
     * What each node has beside it as a process of its own, in a word. It listens where a duty listens otherwise, and its
     * node is told of it as of a resource.
     */
    default Optional<String> companion() {
        return Optional.empty();
    }

    /** How such a process is started: a class with a main method and what it is told, its folder last. */
    default List<String> program(CompanionFacts facts) {
        throw new IllegalStateException(name() + " needs no process beside a node");
    }
}
