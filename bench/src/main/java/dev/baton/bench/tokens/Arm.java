package dev.baton.bench.tokens;

import java.util.Locale;

/** What the process of callers can be told to ask. */
enum Arm {
    /** One token of a strict namespace, each request on its own. */
    STRICT,
    /** The same over a thousand namespaces. */
    STRICT_THOUSAND,
    /** One token of a leased namespace, each request on its own. */
    LEASED,
    /** The same request to a server that does nothing. */
    ECHO,
    /** One token of a strict namespace, through the client that gathers what waits. */
    CLIENT;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Arm ofWireName(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
