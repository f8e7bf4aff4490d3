package dev.baton.authority.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps one connection to one node: connects, greets, and begins again when it is lost, one try at a time. */
final class Connecting<C extends StatefulConnection<?, ?>> implements AutoCloseable {

    /** What a connection is made of, and whom to tell. Called from any thread, never two at once. */
    interface Way<C> {

        CompletionStage<C> connect();

        /** What must be done before the connection is of use. A failure closes it. */
        CompletionStage<?> greet(C connection);

        void up(C connection);

        void down(String why);
    }

    /** A greeting is a few commands; a node that takes longer is tried again later. */
    private static final Duration GREETING = Duration.ofSeconds(2);

    private final Way<C> way;
    private final ScheduledExecutorService timer;
    private final Backoff backoff = new Backoff(RandomGenerator.getDefault());

    private boolean closed;
    private @Nullable C current;

    Connecting(Way<C> way, ScheduledExecutorService timer) {
        this.way = way;
        this.timer = timer;
    }

    void begin() {
        if (isClosed()) {
            return;
        }
        way.connect().whenComplete((connection, failure) -> {
            if (failure != null) {
                failed(failure);
            } else {
                greet(connection);
            }
        });
    }

    private void greet(C connection) {
        CompletableFuture<Object> greeted = new CompletableFuture<>();
        ScheduledFuture<?> alarm = timer.schedule(
                () -> greeted.completeExceptionally(new TimeoutException("no greeting within " + GREETING)),
                GREETING.toMillis(),
                TimeUnit.MILLISECONDS);
        way.greet(connection).whenComplete((done, failure) -> {
            if (failure != null) {
                greeted.completeExceptionally(failure);
            } else {
                greeted.complete(true);
            }
        });
        var unused = greeted.whenComplete((done, failure) -> {
            alarm.cancel(false);
            if (failure != null) {
                close(connection);
                failed(failure);
            } else {
                arrived(connection);
            }
        });
    }

    private void arrived(C connection) {
        synchronized (this) {
            if (closed) {
                close(connection);
                return;
            }
            current = connection;
            backoff.reset();
        }
        way.up(connection);
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> ignored) {
                drop(connection, "connection lost");
            }
        });
        // It may have been lost before anybody listened.
        if (!connection.isOpen()) {
            drop(connection, "connection lost");
        }
    }

    /** Gives up this connection and makes another; nothing if it is not the present one. */
    void drop(C connection, String why) {
        synchronized (this) {
            if (!connection.equals(current)) {
                return;
            }
            current = null;
        }
        way.down(why);
        close(connection);
        again();
    }

    private void failed(Throwable failure) {
        way.down(reason(failure));
        again();
    }

    private synchronized void again() {
        if (closed) {
            return;
        }
        try {
            var unused = timer.schedule(this::begin, backoff.next().toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed = true; // the timer ends only when everything does
        }
    }

    synchronized @Nullable C current() {
        return current;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** No further try. The connection itself ends with the library, which is closed next. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            current = null;
        }
        way.down("closed");
    }

    private static void close(StatefulConnection<?, ?> connection) {
        var unused = connection.closeAsync();
    }

    /** What went wrong, in the words of whoever knew first. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        if (root instanceof CompletionException || root.getMessage() == null) {
            return root.getClass().getSimpleName();
        }
        return root.getMessage();
    }
}
