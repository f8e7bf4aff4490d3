package dev.baton.fence.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;

/**
 * The gate as a filter of the JDK's own web server. Reading methods pass without a fence; every other one needs it.
 *
 * <p>The handler must have done its work when it returns: what it leaves to other threads is not fenced.
 */
public final class FenceFilter extends Filter {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final FenceGate gate;

    public FenceFilter(FenceGate gate) {
        this.gate = gate;
    }

    @Override
    public String description() {
        return "refuses what a replaced holder still sends";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        if (READING.contains(exchange.getRequestMethod())) {
            chain.doFilter(exchange);
            return;
        }
        switch (entered(exchange)) {
            case Passage.Open open -> {
                try (open) {
                    chain.doFilter(exchange);
                }
            }
            case Passage.Refused refused -> answer(exchange, refused);
        }
    }

    private Passage entered(HttpExchange exchange) throws IOException {
        try {
            return gate.enter(exchange.getRequestHeaders().getFirst(FenceHeader.NAME));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before the request was let in", e);
        }
    }

    private static void answer(HttpExchange exchange, Passage.Refused refused) throws IOException {
        byte[] body = refused.body().getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(refused.status(), body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }
}
