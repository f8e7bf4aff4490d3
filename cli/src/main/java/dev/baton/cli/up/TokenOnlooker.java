package dev.baton.cli.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import dev.baton.cli.cluster.NodeView;
import dev.baton.client.TokenClient;
import dev.baton.client.TokenException;
import dev.baton.client.TokenNamespace;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks for a token now and then, in a namespace of its own, and holds each against those before. */
final class TokenOnlooker implements Onlooker {

    /** The namespace that {@code up} asks for tokens of. */
    static final String NAMESPACE = "up";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TokenClient client;
    private final Duration interval;
    private final Supplier<List<NodeView>> views;
    private final TokenObserver observer = new TokenObserver();
    private @Nullable Thread asking;

    TokenOnlooker(List<String> addresses, Duration interval, Supplier<List<NodeView>> views) {
        this.client = TokenClient.builder(addresses.toArray(String[]::new))
                .timeout(PATIENCE)
                .tries(100) // within the timeout
                .build();
        this.interval = interval;
        this.views = views;
    }

    /** A token that the onlooker got. */
    private record SeenToken(long token, long tookMicros) implements Seen {
        @Override
        public String toLine() {
            return "token " + token + "  in " + tookMicros / 1000 + "." + tookMicros / 100 % 10 + " ms";
        }

        @Override
        public ObjectNode toJson() {
            return Json.object().put("namespace", NAMESPACE).put("token", token).put("micros", tookMicros);
        }
    }

    @Override
    public void start(Reporter reporter) {
        asking = Thread.ofVirtual().start(() -> askOnAndOn(reporter));
    }

    private void askOnAndOn(Reporter reporter) {
        TokenNamespace namespace = client.namespace(NAMESPACE);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long beganNanos = System.nanoTime();
                try {
                    long token = namespace.next();
                    observer.got(token);
                    reporter.seen(new SeenToken(
                            token,
                            Duration.ofNanos(System.nanoTime() - beganNanos).toNanos() / 1000));
                } catch (TokenException e) {
                    if (Thread.currentThread().isInterrupted()) {
                        return; // closed
                    }
                    observer.failed(String.valueOf(e.getMessage()));
                    reporter.event("no token: " + e.getMessage());
                }
                views.get().stream()
                        .filter(NodeView::leads)
                        .forEach(view -> view.epoch().ifPresent(observer::term));
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    @Override
    public Tally tally() {
        return observer.tally();
    }

    @Override
    public void conclude(Predicate<String> isUp, Duration patience) throws InterruptedException {
        Thread running = asking;
        if (running != null) {
            running.interrupt();
            running.join(patience);
        }
    }

    @Override
    public void close() {
        Thread running = asking;
        if (running != null) {
            running.interrupt();
        }
        client.close();
    }
}
