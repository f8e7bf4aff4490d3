package dev.baton.node.http;

import java.util.Set;
import java.util.TreeSet;

/**
 * One thing that can be asked.
 *
 * @param path where; if it ends with a slash, whatever follows belongs to the route; if with a slash and a star, also
 *     nothing
 * @param methods how; OPTIONS, which every route has, only where it is answered as GET is
 * @param bodyLimit the largest body that is read
 */
public record Route(String path, Set<String> methods, int bodyLimit, Handler handler) {

    @FunctionalInterface
    public interface Handler {
        Answer handle(Request request) throws Exception;
    }

    public static Route get(String path, Handler handler) {
        return new Route(path, Set.of("GET", "HEAD"), 0, handler);
    }

    /** For load balancers, some of which ask by OPTIONS and go by the status alone. */
    static Route check(String path, Handler handler) {
        return new Route(path, Set.of("GET", "HEAD", "OPTIONS"), 0, handler);
    }

    public static Route post(String path, int bodyLimit, Handler handler) {
        return new Route(path, Set.of("POST"), bodyLimit, handler);
    }

    boolean matches(String requested) {
        if (path.endsWith("/*")) {
            return requested.startsWith(prefix());
        }
        return path.endsWith("/")
                ? requested.startsWith(path) && requested.length() > path.length()
                : requested.equals(path);
    }

    /** What comes before the rest. */
    String prefix() {
        return path.endsWith("*") ? path.substring(0, path.length() - 1) : path;
    }

    String allow() {
        Set<String> all = new TreeSet<>(methods);
        all.add("OPTIONS");
        return String.join(", ", all);
    }
}
