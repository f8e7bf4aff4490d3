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

        @Override
        public String toString() {
            return "the engine in memory";
        }
    }

    /**
     * Several Redis nodes and the quorum code that runs in production.
     *
     * @param nodes how many Redis nodes the seat is founded on
     * @param spares how many further ones an operator has, to replace nodes and to grow and shrink the set
     * @param fsync when they write to their disks what they have answered
     * @param rolling whether they are restarted one after the other, all the time
     * @param minorityStaysDown whether a minority of them is down for good when the world becomes calm
     * @param faults how rough the Redis nodes and the ways to them are
     */
    record Redis(int nodes, int spares, Fsync fsync, boolean rolling, boolean minorityStaysDown, RedisFaults faults)
            implements Engine {

        @Override
        public Kind kind() {
            return Kind.REDIS;
        }

        @Override
        public String toString() {
            return nodes + " Redis nodes with fsync " + fsync
                    + (spares > 0 ? ", " + spares + " spares" : "")
                    + (rolling ? ", rolling restarts" : "")
                    + (minorityStaysDown ? ", a minority stays down" : "");
        }
    }
}
