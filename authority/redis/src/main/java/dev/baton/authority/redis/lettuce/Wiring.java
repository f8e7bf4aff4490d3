package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.TlsFiles;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The library, with a few threads for all nodes, set to send at most once: it neither repeats nor reconnects. */
final class Wiring implements AutoCloseable {

    /** A Redis that takes longer to say hello is tried again later. */
    static final Duration HELLO = Duration.ofSeconds(1);

    private final RedisSettings settings;
    private final Library express;
    private final Library bulk;

    Wiring(RedisSettings settings) {
        this.settings = settings;
        this.express = new Library(options());
        this.bulk = new Library(options());
    }

    /**
     * The library with one thread for its connections. What goes to all nodes at once wakes that thread once, and not one
     * for each node; large pages have a thread of their own.
     */
    private static final class Library implements AutoCloseable {

        private final ClientResources resources;
        private final RedisClient client;

        Library(ClientOptions options) {
            resources = ClientResources.builder()
                    .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(1))
                    .computationThreadPoolSize(2)
                    .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                    .build();
            client = RedisClient.create(resources);
            client.setOptions(options);
        }

        /** Waits until its threads have ended. */
        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
            resources
                    .eventLoopGroupProvider()
                    .shutdown(0, 2, TimeUnit.SECONDS)
                    .awaitUninterruptibly(5, TimeUnit.SECONDS);
            resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }

    private ClientOptions options() {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .protocolVersion(ProtocolVersion.RESP2)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(HELLO)
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build());
        settings.tls().ifPresent(files -> options.sslOptions(ssl(files)));
        return options.build();
    }

    private static SslOptions ssl(TlsFiles files) {
        SslOptions.Builder ssl = SslOptions.builder()
                .jdkSslProvider()
                .handshakeTimeout(HELLO)
                .trustManager(files.authority().toFile());
        files.client()
                .ifPresent(own ->
                        ssl.keyManager(own.certificate().toFile(), own.key().toFile(), new char[0]));
        return ssl.build();
    }

    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connectExpress(String address) {
        return express.client.connectAsync(ByteArrayCodec.INSTANCE, uri(address));
    }

    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connectBulk(String address) {
        return bulk.client.connectAsync(ByteArrayCodec.INSTANCE, uri(address));
    }

    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub(String address) {
        return bulk.client.connectPubSubAsync(StringCodec.UTF8, uri(address));
    }

    private RedisURI uri(String address) {
        String way = settings.routeTo(address);
        RedisURI.Builder uri = RedisURI.Builder.redis(RedisSettings.hostOf(way), RedisSettings.portOf(way))
                .withTimeout(HELLO)
                .withClientName("baton");
        settings.login()
                .ifPresent(login -> login.user()
                        .ifPresentOrElse(
                                user -> uri.withAuthentication(user, login.password()),
                                () -> uri.withPassword((CharSequence) login.password())));
        if (settings.tls().isPresent()) {
            uri.withSsl(true).withVerifyPeer(SslVerifyMode.FULL);
        }
        return uri.build();
    }

    /** Waits until all threads have ended. */
    @Override
    public void close() {
        express.close();
        bulk.close();
    }
}
