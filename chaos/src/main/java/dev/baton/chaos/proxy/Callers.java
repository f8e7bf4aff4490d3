package dev.baton.chaos.proxy;

import java.net.Socket;

/** Tells who opened a connection. */
@FunctionalInterface
public interface Callers {

    /** Whoever belongs to no process of the cluster. */
    String CLIENT = "client";

    String callerOf(Socket accepted);
}
