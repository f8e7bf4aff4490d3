package dev.baton.chaos.proxy;

import dev.baton.chaos.plan.Link;

/** A connection by its ends: who opened it, to whom, and what kind of link that is. */
public record Wire(String from, String to, Link link) {

    /** Which way bytes go. */
    public enum Direction {
        /** From whoever opened the connection. */
        THERE,
        /** From whoever accepted it. */
        BACK
    }

    /** Who receives what goes this way. */
    public String receiver(Direction direction) {
        return direction == Direction.THERE ? to : from;
    }

    /** Who sends what goes this way. */
    public String sender(Direction direction) {
        return direction == Direction.THERE ? from : to;
    }

    /** Whether this is one of its ends. */
    public boolean touches(String name) {
        return from.equals(name) || to.equals(name);
    }
}
