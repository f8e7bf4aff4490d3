package dev.baton.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Stands in for a node: says on {@code /watch} what the test wants it to say, and answers as the test wants. */
final class StandIn implements AutoCloseable {

    interface Page {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final String name;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Page page;
    private long version;
    private long epoch;
    private boolean serves;

    StandIn(String name) throws IOException {
        this.name = name;
        this.page = exchange -> send(exchange, 200, name);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(threads);
        server.createContext("/watch", this::watch);
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                page.answer(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    static void send(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void watch(HttpExchange exchange) throws IOException {
        try (exchange) {
            String known = exchange.getRequestURI().getQuery().replaceAll(".*known=(-?\\d+).*", "$1");
            String said;
            synchronized (this) {
                long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                while (version == Long.parseLong(known) && System.nanoTime() < untilNanos) {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, untilNanos - System.nanoTime()));
                }
                said = "{\"node\":\"%s\",\"era\":1,\"version\":%d,\"epoch\":%d,\"serves\":%s,\"ready\":true}"
                        .formatted(name, version, epoch, serves);
            }
            send(exchange, 200, said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holds the seat from now on, as far as it knows itself. */
    synchronized StandIn holds(long atEpoch) {
        version++;
        epoch = atEpoch;
        serves = true;
        notifyAll();
        return this;
    }

    synchronized void resigns() {
        version++;
        epoch = 0;
        serves = false;
        notifyAll();
    }

    StandIn answers(Page with) {
        page = with;
        return this;
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    Upstream upstream() {
        return Upstream.http(name, address());
    }

    /** As if its process were killed: every connection ends at once. */
    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
