package dev.baton.sim;

import dev.baton.authority.redis.protocol.Fsync;

/** What keeps the seat in a simulated world. */
public sealed interface Engine {

    Kind kind();

    /** The kinds of engines that worlds can have. */
    enum Kind {
        MEMORY,
        REDIS
    }

    /** One engine in memory that never forgets. */
    record Memory() implements Engine {
        @Override
        public Kind kind() {
            return Kind.MEMORY;
        }
    }

    /**
     * Several Redis nodes and the quorum code that runs in production.
     *
     * @param nodes how many Redis nodes there are
     * @param fsync when they write to their disks what they have answered
     * @param rolling whether they are restarted one after the other, all the time
     * @param minorityStaysDown whether a minority of them is down for good when the world becomes calm
     * @param faults how rough the Redis nodes and the ways to them are
     */
    record Redis(int nodes, Fsync fsync, boolean rolling, boolean minorityStaysDown, RedisFaults faults) implements Engine {
        @Override
        public Kind kind() {
            return Kind.REDIS;
        }

        @Override
        public String toString() {
            return nodes + " Redis nodes, fsync " + fsync + (rolling ? ", rolling restarts" : "")
                    + (minorityStaysDown ? ", a minority stays down" : "");
        }
    }

    /**
     * How often things go wrong at Redis nodes and on the ways to them, besides what happens to the processes.
     *
     * @param lostMessage a request or a reply is lost, for each message
     * @param slowMessage a message takes up to half a second
     * @param duplicated a request arrives once more, up to three seconds later, perhaps after a restart of the node
     * @param lostNews an event that a node tells by itself is lost
     * @param cutPerSecond one way between a process and a node is cut, in one direction or in both
     * @param islandPerSecond a Redis node is out of everybody's reach for a while
     * @param stallPerSecond a Redis node takes connections and requests, and answers much later
     * @param restartPerSecond a Redis node restarts; with fsync LATER it forgets the last moments, or everything
     * @param wipePerSecond a Redis node loses its disk, whatever its fsync
     * @param clockSetPerSecond a Redis node's wall clock is set, by up to ten seconds
     */
    record RedisFaults(
            double lostMessage,
            double slowMessage,
            double duplicated,
            double lostNews,
            double cutPerSecond,
            double islandPerSecond,
            double stallPerSecond,
            double restartPerSecond,
            double wipePerSecond,
            double clockSetPerSecond) {

        public static final RedisFaults ROUGH = new RedisFaults(0.03, 0.04, 0.04, 0.1, 0.05, 0.05, 0.05, 0.08, 0.02, 0);

        public RedisFaults withClocksSet(double perSecond) {
            return new RedisFaults(
                    lostMessage,
                    slowMessage,
                    duplicated,
                    lostNews,
                    cutPerSecond,
                    islandPerSecond,
                    stallPerSecond,
                    restartPerSecond,
                    wipePerSecond,
                    perSecond);
        }
    }
}
