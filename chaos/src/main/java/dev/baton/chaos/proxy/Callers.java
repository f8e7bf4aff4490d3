package dev.baton.chaos.proxy;

import dev.baton.chaos.plan.Link;
import java.net.Socket;

/** Tells who opened a connection. */
@FunctionalInterface
public interface Callers {

    /** Whoever belongs to no process of the cluster. */
    String CLIENT = "client";

    String callerOf(Socket accepted);

    /** What kind of connection it is, if such a caller calls where others use this link. */
    default Link linkOf(String caller, Link usual) {
        return usual;
    }
}
