package dev.baton.sim;

import dev.baton.authority.SeatAuthority;
import dev.baton.core.NodeId;

/** The engine of a running simulation: what processes connect to, and what goes wrong with it. */
interface SimEngine {

    /** The way of a process that just started to the engine. */
    Connection connect(NodeId node, SimProcess process);

    /** Called from time to time while the world is rough: perhaps something breaks. */
    void trouble();

    /** No more trouble from now on. */
    void calm();

    /** Called after each happening. */
    void stepped();

    /** One process's way to the engine. */
    interface Connection {

        SeatAuthority seat();

        /** Nothing gets through for a while. */
        void cut(long forNanos);

        /** The process is gone. */
        void drop();
    }
}
