package dev.baton.node.http;

import java.util.Set;
import java.util.TreeSet;

/**
 * One thing that can be asked.
 *
 * @param path where; if it ends with a slash, whatever follows belongs to the route
 * @param methods how, without OPTIONS, which every route has
 * @param bodyLimit the largest body that is read
 */
record Route(String path, Set<String> methods, int bodyLimit, Handler handler) {

    @FunctionalInterface
    interface Handler {
        Answer handle(Request request) throws Exception;
    }

    static Route get(String path, Handler handler) {
        return new Route(path, Set.of("GET", "HEAD"), 0, handler);
    }

    static Route post(String path, int bodyLimit, Handler handler) {
        return new Route(path, Set.of("POST"), bodyLimit, handler);
    }

    boolean matches(String requested) {
        return path.endsWith("/")
                ? requested.startsWith(path) && requested.length() > path.length()
                : requested.equals(path);
    }

    String allow() {
        Set<String> all = new TreeSet<>(methods);
        all.add("OPTIONS");
        return String.join(", ", all);
    }
}
