package dev.baton.authority.redis.quorum;

import java.util.function.Consumer;

/** The ways to all Redis nodes, for one seat. */
public interface Network {

    /** The way to this node; the same object each time. Does not wait for a connection. */
    Link link(String address);

    /** Tells the listener of everything that happens at the nodes without being asked. Events may be lost. */
    void listen(Consumer<News> listener);

    /** Whether renewals are worth telling. A holder knows of its own, and each costs a message from every node. */
    default void wantRenewals(boolean wanted) {}

    /** Something happened at a node. */
    record News(String address, Kind kind) {

        /** What may happen. */
        public enum Kind {
            /** The node can be reached, perhaps again, and perhaps after a restart. */
            CONNECTED,
            /** The seat has become free there: it was given up, or its time is over. */
            FREED,
            /** The seat was taken or renewed there. */
            RENEWED
        }
    }
}
