package dev.baton.node.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.baton.core.Bytes;
import dev.baton.node.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTP server with a few routes, each request on a virtual thread. */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int BACKLOG = 128;

    static {
        // The server reads these once, before its first start. Without the first, small answers wait for 40 ms.
        setDefault("sun.net.httpserver.nodelay", "true");
        setDefault("sun.net.httpserver.maxReqTime", "15");
        setDefault("sun.net.httpserver.maxReqHeaders", "64");
        setDefault("sun.net.httpserver.maxReqHeaderSize", "16384");
        setDefault("jdk.httpserver.maxConnections", "1024");
    }

    private static void setDefault(String key, String value) {
        if (System.getProperty(key) == null) {
            System.setProperty(key, value);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final HostPort address;
    private final List<Route> routes;
    private final boolean refuseBrowsers;

    private HttpListener(HttpServer server, HostPort address, List<Route> routes, boolean refuseBrowsers) {
        this.server = server;
        this.address = address.withPort(server.getAddress().getPort());
        this.routes = List.copyOf(routes);
        this.refuseBrowsers = refuseBrowsers;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-", 0).factory());
    }

    /**
     * Listens at once.
     *
     * @param refuseBrowsers whether requests that a web page sent are refused: a page from anywhere could otherwise
     *     make a browser on this machine move a seat
     */
    public static HttpListener open(
            HostPort address, List<Route> routes, boolean refuseBrowsers, Optional<SSLContext> secured)
            throws IOException {
        HttpServer server = secured.isPresent()
                ? secured(address, secured.get())
                : HttpServer.create(address.socketAddress(), BACKLOG);
        HttpListener listener = new HttpListener(server, address, routes, refuseBrowsers);
        server.setExecutor(listener.threads);
        server.createContext("/", listener::handle);
        server.start();
        return listener;
    }

    private static HttpServer secured(HostPort address, SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(address.socketAddress(), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        return server;
    }

    /** Where it listens, with the port that it got. */
    public HostPort address() {
        return address;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (Request.BadRequestException e) {
                answer = Answer.error(400, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                answer = Answer.error(503, "the node is stopping");
            } catch (Exception e) {
                LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
                answer = Answer.error(500, "this is a defect, see the node's log: " + e);
            }
            send(exchange, answer);
        }
    }

    private Answer answer(HttpExchange exchange) throws Exception {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        Optional<Route> found =
                routes.stream().filter(route -> route.matches(path)).findFirst();
        if (found.isEmpty()) {
            return Answer.error(
                    404,
                    path + " (expected: one of "
                            + String.join(", ", routes.stream().map(Route::path).toList()) + ")");
        }
        Route route = found.get();
        if (method.equals("OPTIONS") && !route.methods().contains(method)) {
            exchange.getResponseHeaders().set("Allow", route.allow());
            return new Answer.Whole(204, "", Bytes.EMPTY);
        }
        if (!route.methods().contains(method)) {
            exchange.getResponseHeaders().set("Allow", route.allow());
            return Answer.error(405, method + " " + path + " (expected: " + route.allow() + ")");
        }
        if (refuseBrowsers && !isFromOwnPage(exchange)) {
            return Answer.error(403, "requests from web pages are refused here (expected: the command line)");
        }
        byte[] body;
        try (InputStream in = exchange.getRequestBody()) {
            body = in.readNBytes(route.bodyLimit() + 1);
        }
        if (body.length > route.bodyLimit()) {
            exchange.getResponseHeaders().set("Connection", "close");
            return Answer.error(413, "a body of more than " + route.bodyLimit() + " bytes (expected: at most as many)");
        }
        String rest = path.substring(Math.min(path.length(), route.prefix().length()));
        String query =
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        return route.handler()
                .handle(new Request(
                        method,
                        rest,
                        Request.parseQuery(query),
                        firstValues(exchange.getRequestHeaders()),
                        Bytes.wrap(body)));
    }

    /**
     * Whether no web page sent it, or one that this very listener served over TLS: a page from elsewhere has another
     * origin, and one that was made to resolve to this machine has no certificate for its name.
     */
    private static boolean isFromOwnPage(HttpExchange exchange) {
        List<String> origins = exchange.getRequestHeaders().getOrDefault("Origin", List.of());
        String own = "https://" + exchange.getRequestHeaders().getFirst("Host");
        return origins.isEmpty() || (exchange instanceof HttpsExchange && origins.equals(List.of(own)));
    }

    private static Map<String, String> firstValues(Headers headers) {
        Map<String, String> first = new HashMap<>();
        headers.forEach((name, values) -> first.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return first;
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        if (!answer.contentType().isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        }
        boolean head = exchange.getRequestMethod().equals("HEAD");
        switch (answer) {
            case Answer.Whole whole -> {
                whole.headers().forEach(exchange.getResponseHeaders()::set);
                if (head || whole.body().isEmpty()) {
                    if (head) { // what GET would have sent
                        exchange.getResponseHeaders()
                                .set(
                                        "Content-Length",
                                        Integer.toString(whole.body().size()));
                    }
                    exchange.sendResponseHeaders(whole.status(), -1);
                } else {
                    exchange.sendResponseHeaders(whole.status(), whole.body().size());
                    exchange.getResponseBody().write(whole.body().toArray());
                }
            }
            case Answer.Stream stream -> {
                exchange.sendResponseHeaders(stream.status(), head ? -1 : 0);
                if (!head) {
                    stream(exchange, stream);
                }
            }
        }
    }

    /** Ends quietly when the client has left, or the node stops. */
    private static void stream(HttpExchange exchange, Answer.Stream stream) {
        try (OutputStream out = exchange.getResponseBody()) {
            stream.writer().write(out);
        } catch (IOException e) {
            LOG.debug("the reader of {} left: {}", exchange.getRequestURI(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
