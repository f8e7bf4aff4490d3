package dev.baton.bench.tokens;

import dev.baton.bench.load.AsyncCall;
import dev.baton.bench.load.LoadLines;
import dev.baton.client.TokenClient;
import dev.baton.client.TokenNamespace;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.tokens.v1.CreateRequest;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.TokenNamespacesGrpc;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A process of callers for tokens: {@code TokenCallers ECHO-ADDRESS ADDRESS…}, then requests as {@link LoadLines} has
 * them, their arms as {@link Arm} has them.
 */
public final class TokenCallers implements AutoCloseable {

    static final String STRICT = "bench-strict";
    static final String LEASED = "bench-leased";

    private static final int THOUSAND = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> addresses;
    private final Connections echo;
    private final Map<String, Connections> nodes = new LinkedHashMap<>();
    private @Nullable TokenClient client;

    TokenCallers(String echoAddress, List<String> addresses) {
        this.addresses = addresses;
        this.echo = new Connections(echoAddress);
        addresses.forEach(address -> nodes.put(address, new Connections(address)));
    }

    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        try (TokenCallers callers = new TokenCallers(all.getFirst(), all.subList(1, all.size()))) {
            LoadLines.serve(System.in, System.out, name -> callers.arm(Arm.ofWireName(name)));
        }
        System.exit(0);
    }

    /** The holder is looked for each time: it may have changed since the last. */
    private IntFunction<AsyncCall> arm(Arm arm) throws InterruptedException {
        return switch (arm) {
            case ECHO -> echo.callers(List.of(STRICT));
            case STRICT -> holder().callers(List.of(STRICT));
            case STRICT_THOUSAND ->
                holder().callers(IntStream.range(0, THOUSAND)
                        .mapToObj(i -> "bench-" + i)
                        .toList());
            case LEASED -> {
                Connections holder = holder();
                createLeased(holder);
                yield holder.callers(List.of(LEASED));
            }
            case CLIENT -> {
                TokenNamespace namespace = client().namespace(STRICT);
                yield index -> namespace::nextAsync;
            }
        };
    }

    private TokenClient client() {
        TokenClient made = client;
        if (made == null) {
            made = TokenClient.builder(addresses.toArray(String[]::new)).build();
            client = made;
        }
        return made;
    }

    private static void createLeased(Connections holder) {
        var unused = TokenNamespacesGrpc.newBlockingStub(holder.first())
                .create(CreateRequest.newBuilder()
                        .setName(LEASED)
                        .setGuarantee(Guarantee.LEASED)
                        .build());
    }

    /** The node that hands out tokens: the one that does. */
    private Connections holder() throws InterruptedException {
        TokenRequest one =
                TokenRequest.newBuilder().setNamespace(STRICT).setCount(1).build();
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        String last = "";
        while (System.nanoTime() < giveUpNanos) {
            for (Connections node : nodes.values()) {
                try {
                    node.ask(one).get(1, TimeUnit.SECONDS);
                    return node;
                } catch (ExecutionException | TimeoutException | StatusRuntimeException e) {
                    last = String.valueOf(e);
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IllegalStateException("none of " + addresses + " hands out tokens within " + PATIENCE
                + " (expected: one holds the seat): " + last);
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        echo.close();
        nodes.values().forEach(Connections::close);
    }
}
