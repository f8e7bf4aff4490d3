package dev.baton.sim;

/**
 * How often things go wrong at Redis nodes and on the ways to them, besides what happens to the processes.
 *
 * @param lostMessage a request or a reply is lost, for each message
 * @param slowMessage a message takes up to half a second
 * @param duplicated a request arrives once more, up to three seconds later, perhaps after a restart of the node
 * @param lostNews an event that a node tells by itself is lost
 * @param cutPerSecond one way between a process and a node is cut, in one direction or in both
 * @param partitionPerSecond the world falls into two halves, processes and nodes alike
 * @param islandPerSecond a Redis node is out of everybody's reach for a while
 * @param stallPerSecond a Redis node takes connections and requests, and answers much later
 * @param restartPerSecond a Redis node restarts; with fsync LATER it forgets the last moments, or everything
 * @param wipePerSecond a Redis node loses its disk, whatever its fsync
 * @param changePerSecond an operator has a node of the set replaced, added or removed, where there are spares
 * @param clockSetPerSecond a Redis node's wall clock is set, by up to ten seconds
 */
public record RedisFaults(
        double lostMessage,
        double slowMessage,
        double duplicated,
        double lostNews,
        double cutPerSecond,
        double partitionPerSecond,
        double islandPerSecond,
        double stallPerSecond,
        double restartPerSecond,
        double wipePerSecond,
        double changePerSecond,
        double clockSetPerSecond) {

    public static final RedisFaults ROUGH =
            new RedisFaults(0.03, 0.04, 0.04, 0.1, 0.05, 0.1, 0.05, 0.05, 0.08, 0.02, 0.5, 0);

    /** Clocks of Redis nodes are set now and then: leases may end early, and terms may overlap. */
    public static final RedisFaults CLOCKS_SET =
            new RedisFaults(0.03, 0.04, 0.04, 0.1, 0.05, 0.1, 0.05, 0.05, 0.08, 0.02, 0.5, 0.05);

    /** The world falls apart all the time, while the node set changes all the time. */
    public static final RedisFaults SPLIT = new RedisFaults(0.05, 0.05, 0.05, 0.2, 0.05, 1, 0.05, 0.05, 0.05, 0, 3, 0);

    /** So many messages are lost that most entries first reach a few nodes only; node sets change all the time. */
    public static final RedisFaults LOSSY = new RedisFaults(0.2, 0.1, 0.1, 0.3, 0.1, 0.1, 0.05, 0.05, 0.05, 0, 2, 0);
}
