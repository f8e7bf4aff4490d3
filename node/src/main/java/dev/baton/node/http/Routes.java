package dev.baton.node.http;

import dev.baton.core.Bytes;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds who answers a request, and turns everything that is wrong with one into an answer. */
final class Routes {

    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

    private final List<Route> routes;
    private final boolean refuseBrowsers;
    private final boolean secured;

    /** @param secured whether the listener speaks TLS, and only with those who show a certificate */
    Routes(List<Route> routes, boolean refuseBrowsers, boolean secured) {
        this.routes = List.copyOf(routes);
        this.refuseBrowsers = refuseBrowsers;
        this.secured = secured;
    }

    /** The largest body that any of them takes. */
    int largestBody() {
        return routes.stream().mapToInt(Route::bodyLimit).max().orElse(0);
    }

    /** A request whose body is larger than that. */
    Answer tooLarge(HttpRequest request) {
        int limit;
        try {
            limit = route(path(request)).map(Route::bodyLimit).orElse(largestBody());
        } catch (Request.BadRequestException e) {
            return Answer.error(400, String.valueOf(e.getMessage()));
        }
        return Answer.error(
                413,
                limit == 0
                        ? "a body (expected: none; what is asked stands in the path and its parameters)"
                        : "a body of more than " + limit + " bytes (expected: at most as many)");
    }

    /** May block. */
    Answer answer(FullHttpRequest request) {
        try {
            return find(request);
        } catch (Request.BadRequestException e) {
            return Answer.error(400, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.error(503, "the node is stopping");
        } catch (Exception e) {
            LOG.error("{} {} failed", request.method(), request.uri(), e);
            return Answer.error(500, "this is a defect, see the node's log: " + e);
        }
    }

    private Optional<Route> route(String path) {
        return routes.stream().filter(route -> route.matches(path)).findFirst();
    }

    private Answer find(FullHttpRequest asked) throws Exception {
        String path = path(asked);
        String method = asked.method().name();
        Optional<Route> found = route(path);
        if (found.isEmpty()) {
            return Answer.error(
                    404,
                    path + " (expected: one of "
                            + String.join(", ", routes.stream().map(Route::path).toList()) + ")");
        }
        Route route = found.get();
        Map<String, String> allow = Map.of("Allow", route.allow());
        if (method.equals("OPTIONS") && !route.methods().contains(method)) {
            return new Answer.Whole(204, "", Bytes.EMPTY, allow);
        }
        if (!route.methods().contains(method)) {
            return Answer.json(405, Map.of("error", method + " " + path + " (expected: " + route.allow() + ")"), allow);
        }
        if (refuseBrowsers && !isFromOwnPage(asked)) {
            return Answer.error(403, "requests from web pages are refused here (expected: the command line)");
        }
        if (asked.content().readableBytes() > route.bodyLimit()) {
            return tooLarge(asked);
        }
        byte[] body = new byte[asked.content().readableBytes()];
        asked.content().readBytes(body);
        return route.handler()
                .handle(new Request(
                        method,
                        path.substring(Math.min(path.length(), route.prefix().length())),
                        Request.parseQuery(
                                Optional.ofNullable(uri(asked).getRawQuery()).orElse("")),
                        firstValues(asked),
                        Bytes.wrap(body)));
    }

    private static String path(HttpRequest asked) {
        return Optional.ofNullable(uri(asked).getPath()).orElse("");
    }

    private static URI uri(HttpRequest asked) {
        try {
            return URI.create(asked.uri());
        } catch (IllegalArgumentException e) {
            throw new Request.BadRequestException(asked.uri() + " (expected: a path, with what is special escaped)");
        }
    }

    /**
     * Whether no web page sent it, or one that this very listener served over TLS: a page from elsewhere has another
     * origin, and one that was made to resolve to this machine has no certificate for its name.
     */
    private boolean isFromOwnPage(HttpRequest asked) {
        List<String> origins = asked.headers().getAll(HttpHeaderNames.ORIGIN);
        String own = "https://" + asked.headers().get(HttpHeaderNames.HOST);
        return origins.isEmpty() || (secured && origins.equals(List.of(own)));
    }

    private static Map<String, String> firstValues(HttpRequest asked) {
        Map<String, String> first = new HashMap<>();
        asked.headers()
                .forEach(header -> first.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        return first;
    }
}
