package dev.baton.chaos.proxy;

import java.net.Socket;

/** Tells who opened a connection. */
@FunctionalInterface
public interface Callers {

    String callerOf(Socket accepted);
}
