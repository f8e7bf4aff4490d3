package dev.baton.node.http;

import dev.baton.node.config.HostPort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who is on this machine and may come in by that alone must have asked for this machine by its own name.
 *
 * <p>A page from elsewhere whose name was made to resolve to the loopback address is of the same origin as a listener
 * there, as far as its browser can tell. Its requests give themselves away by the name that they were sent to. The name is
 * never looked up: what it resolves to is in the attacker's hands.
 */
final class LoopbackNames {

    private static final Pattern NAME_AND_PORT = Pattern.compile("(\\[[^]]*]|[^:]*)(:\\d*)?");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]");

    private final String own;

    /** @param address where the listener is; under that name it may be asked for, too */
    LoopbackNames(HostPort address) {
        this.own = address.host().toLowerCase(Locale.ROOT);
    }

    List<Route> guard(List<Route> routes) {
        return routes.stream().map(this::guard).toList();
    }

    private Route guard(Route route) {
        return new Route(route.path(), route.methods(), route.bodyLimit(), request -> {
            Optional<String> host = request.header("Host");
            return host.isEmpty() || isOwn(host.get()) // every browser says it
                    ? route.handler().handle(request)
                    : Answer.error(403, "Host: " + host.get() + " (expected: localhost or 127.0.0.1, as here)");
        });
    }

    private boolean isOwn(String host) {
        Matcher parts = NAME_AND_PORT.matcher(host.toLowerCase(Locale.ROOT));
        return parts.matches()
                && (parts.group(1).equals(own)
                        || LOOPBACK.matcher(parts.group(1)).matches());
    }
}
