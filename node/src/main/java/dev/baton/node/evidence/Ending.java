package dev.baton.node.evidence;

import java.net.InetSocketAddress;

/** How the attendance of a process came to its end. */
sealed interface Ending {

    /**
     * The connection closed without a goodbye, after exactly this process had answered on it.
     *
     * @param place where the other end of the connection was
     */
    record Closed(InetSocketAddress place) implements Ending {}

    /** The peer ended it properly: it shuts down in order. */
    record Farewell() implements Ending {}

    /** There was no connection to this process that could have closed. */
    record NeverAttended(String why) implements Ending {}
}
