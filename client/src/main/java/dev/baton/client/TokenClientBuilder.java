package dev.baton.client;

import dev.baton.client.ClientSettings.BreakerSettings;
import dev.baton.client.ClientSettings.PrefetchSettings;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Says how a {@link TokenClient} behaves; what is not said has a default that fits most. */
public final class TokenClientBuilder {

    private final List<String> addresses;
    private Duration timeout;
    private Duration attemptTimeout;
    private int tries;
    private Duration backoff;
    private Duration backoffCap;
    private int maxBatch;
    private int batchesInFlight;
    private int maxWaiting;
    private boolean checkOrder;
    private PrefetchSettings prefetch;
    private BreakerSettings breaker;
    private ChannelCredentials credentials = InsecureChannelCredentials.create();
    private Consumer<ManagedChannelBuilder<?>> customiser = builder -> {};

    TokenClientBuilder(List<String> addresses) {
        ClientSettings defaults = ClientSettings.of(addresses);
        this.addresses = defaults.addresses();
        this.timeout = defaults.timeout();
        this.attemptTimeout = defaults.attemptTimeout();
        this.tries = defaults.tries();
        this.backoff = defaults.backoff();
        this.backoffCap = defaults.backoffCap();
        this.maxBatch = defaults.maxBatch();
        this.batchesInFlight = defaults.batchesInFlight();
        this.maxWaiting = defaults.maxWaiting();
        this.checkOrder = defaults.checkOrder();
        this.prefetch = defaults.prefetch();
        this.breaker = defaults.breaker();
    }

    /** How long a caller waits at most, tries and pauses together; 5 s. */
    public TokenClientBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    /** How long one try waits for its answer before the next; 2 s. */
    public TokenClientBuilder attemptTimeout(Duration attemptTimeout) {
        this.attemptTimeout = attemptTimeout;
        return this;
    }

    /** How often a request is sent at most; being sent on to a named holder is none; 3. */
    public TokenClientBuilder tries(int tries) {
        this.tries = tries;
        return this;
    }

    /** The longest pause before the second try, doubled with each further one; 100 ms. */
    public TokenClientBuilder backoff(Duration backoff) {
        this.backoff = backoff;
        return this;
    }

    /** No pause between tries is longer; 2 s. */
    public TokenClientBuilder backoffCap(Duration backoffCap) {
        this.backoffCap = backoffCap;
        return this;
    }

    /** How many waiting callers one request covers at most; 10,000. */
    public TokenClientBuilder maxBatch(int maxBatch) {
        this.maxBatch = maxBatch;
        return this;
    }

    /** How many batches of a namespace may be under way; 4. */
    public TokenClientBuilder batchesInFlight(int batchesInFlight) {
        this.batchesInFlight = batchesInFlight;
        return this;
    }

    /** How many callers of a namespace may wait before further ones are refused; 1,000,000. */
    public TokenClientBuilder maxWaiting(int maxWaiting) {
        this.maxWaiting = maxWaiting;
        return this;
    }

    /**
     * Whether an answer must lie above the tokens that were known when it was asked for; true.
     *
     * <p>Without it only the revision and overlaps are checked: for leased namespaces on machines whose clocks are not
     * to be trusted, where order is not promised but uniqueness is.
     */
    public TokenClientBuilder checkOrder(boolean checkOrder) {
        this.checkOrder = checkOrder;
        return this;
    }

    /**
     * Whether single tokens are asked for before anybody wants them; false.
     *
     * <p>Most calls are then answered from memory. The price: a token may be older than one that another client, or
     * another caller of this one, has got already, so <b>order is lost</b>; and those that nobody wanted in time are
     * gaps. No token is ever handed out twice.
     */
    public TokenClientBuilder prefetch(boolean prefetch) {
        this.prefetch = new PrefetchSettings(prefetch, this.prefetch.most(), this.prefetch.age());
        return this;
    }

    /** How many tokens of a namespace are kept ahead at most, and for how long; 10,000 and 1 s. */
    public TokenClientBuilder prefetchBounds(int most, Duration age) {
        this.prefetch = new PrefetchSettings(prefetch.on(), most, age);
        return this;
    }

    /**
     * When to stop asking for a while; 50 requests of which 90 % failed in all their tries, 2 s, 5 probes.
     *
     * @param window how many requests are looked back on
     * @param failurePercent so many of them must have failed
     * @param openFor how long everything is refused then
     * @param probes how many requests are let through after that, to see
     */
    public TokenClientBuilder breaker(int window, int failurePercent, Duration openFor, int probes) {
        this.breaker = new BreakerSettings(window, failurePercent, openFor, probes);
        return this;
    }

    /** Encrypts, and trusts nodes whose certificates these authorities signed (PEM). */
    public TokenClientBuilder tls(Path trust) throws IOException {
        return credentials(
                TlsChannelCredentials.newBuilder().trustManager(trust.toFile()).build());
    }

    /** Encrypts, and shows a certificate of its own as well (PEM, PKCS#8 key). */
    public TokenClientBuilder tls(Path trust, Path certificate, Path key) throws IOException {
        return credentials(TlsChannelCredentials.newBuilder()
                .trustManager(trust.toFile())
                .keyManager(certificate.toFile(), key.toFile())
                .build());
    }

    /** Any other credentials; plain text without. */
    public TokenClientBuilder credentials(ChannelCredentials credentials) {
        this.credentials = credentials;
        return this;
    }

    /** Changes each connection before it is made, for example to add an interceptor or another keep-alive. */
    public TokenClientBuilder channels(Consumer<ManagedChannelBuilder<?>> customiser) {
        this.customiser = customiser;
        return this;
    }

    /** The client; nothing is connected before the first call. */
    public TokenClient build() {
        ClientSettings settings = settings(); // may be refused, so before anything is started
        Machinery machinery = new Machinery();
        return build(settings, machinery.surroundings(), machinery::stop);
    }

    TokenClient build(ClientSettings settings, Surroundings surroundings, Runnable atEnd) {
        // a random one for each client: request ids of two of them can never be mixed up
        String clientId = UUID.randomUUID().toString();
        return new TokenClient(clientId, settings, credentials, customiser, surroundings, atEnd);
    }

    ClientSettings settings() {
        return new ClientSettings(
                addresses,
                timeout,
                attemptTimeout,
                tries,
                backoff,
                backoffCap,
                maxBatch,
                batchesInFlight,
                maxWaiting,
                checkOrder,
                prefetch,
                breaker);
    }
}
