package dev.baton.authority.redis.lettuce;

import dev.baton.authority.redis.quorum.Network;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Listens to one node's keyspace events. What is missed while it is down is found by polling. */
final class Ears implements Connecting.Way<StatefulRedisPubSubConnection<String, String>>, AutoCloseable {

    private final Wiring wiring;
    private final String address;
    private final BiConsumer<String, Network.News.Kind> heard;
    private final Connecting<StatefulRedisPubSubConnection<String, String>> connecting;

    private @Nullable RedisFuture<String> lastPing;

    /** @param heard is told of the key and of what happened to it */
    Ears(Wiring wiring, String address, ScheduledExecutorService timer, BiConsumer<String, Network.News.Kind> heard) {
        this.wiring = wiring;
        this.address = address;
        this.heard = heard;
        this.connecting = new Connecting<>(this, timer);
    }

    void begin() {
        connecting.begin();
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> connect() {
        return wiring.connectPubSub(address);
    }

    @Override
    public CompletionStage<?> greet(StatefulRedisPubSubConnection<String, String> connection) {
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String key) {
                KeyspaceEvents.kindOf(channel).ifPresent(kind -> heard.accept(key, kind));
            }
        });
        return connection.async().subscribe(KeyspaceEvents.CHANNELS);
    }

    @Override
    public void up(StatefulRedisPubSubConnection<String, String> connection) {}

    @Override
    public synchronized void down(String why) {
        lastPing = null;
    }

    /** From time to time: a connection on which nobody ever speaks would not be noticed to be dead. */
    synchronized void check() {
        StatefulRedisPubSubConnection<String, String> connection = connecting.current();
        if (connection == null) {
            return;
        }
        if (lastPing != null && !lastPing.isDone()) {
            connecting.drop(connection, "the node is silent");
        } else {
            lastPing = connection.async().ping();
        }
    }

    @Override
    public void close() {
        connecting.close();
    }
}
