package dev.baton.chaos.plan;

/** A kind of connection that the harness can put a proxy into. */
public enum Link {
    /** Clients to a node. */
    CLIENT,
    /** A node to another node. */
    PEER,
    /** A node to a server of the engine. */
    ENGINE,
    /** A server of the engine to another. */
    ENGINE_PEER,
    /** A node to a server that its duty works on. */
    RESOURCE
}
