package dev.baton.authority.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.script.Replies;
import dev.baton.authority.redis.script.Script;
import dev.baton.authority.redis.script.ScriptCall;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection's worth of asks. Bounded: when a node does not answer, what waits for it is limited in number and in
 * bytes, each asker is told in time, and a connection that stays silent is given up.
 */
final class Line {

    /** How much may wait for one node. One ask is always let through, whatever its size. */
    record Limits(int asks, long bytes) {
        static final Limits EXPRESS = new Limits(64, 8 << 20);
        static final Limits BULK = new Limits(16, 32 << 20);
    }

    /** So long after an ask's deadline its connection counts as dead, though nobody has closed it. */
    private static final Duration SILENCE = Duration.ofMillis(900);

    private static final Duration TICK = Duration.ofMillis(10);

    private final String address;
    private final Limits limits;
    private final ScheduledExecutorService timer;
    private final BiConsumer<StatefulRedisConnection<byte[], byte[]>, String> giveUp;

    private final Deque<ScriptCommand> outstanding = new ArrayDeque<>();
    private long outstandingBytes;
    private boolean watching;
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    /** The run id that was read on this very connection. A connection does not outlive the process that it leads to. */
    private String run = "";

    private String whyDown = "not connected yet";

    Line(
            String address,
            Limits limits,
            ScheduledExecutorService timer,
            BiConsumer<StatefulRedisConnection<byte[], byte[]>, String> giveUp) {
        this.address = address;
        this.limits = limits;
        this.timer = timer;
        this.giveUp = giveUp;
    }

    String address() {
        return address;
    }

    synchronized boolean isUp() {
        return connection != null;
    }

    /**
     * Asks go over this connection from now on.
     *
     * @param runSeen the run id that was read on it; empty if none was
     */
    synchronized void up(StatefulRedisConnection<byte[], byte[]> connected, String runSeen) {
        connection = connected;
        run = runSeen;
    }

    /** What was on its way is lost, unless the library has said already that it never left. */
    void down(String why) {
        List<ScriptCommand> abandoned;
        synchronized (this) {
            connection = null;
            whyDown = why;
            abandoned = new ArrayList<>(outstanding);
            outstanding.clear();
            outstandingBytes = 0;
        }
        abandoned.forEach(command -> command.answer().complete(new Answer.Lost(address + ": " + why)));
    }

    CompletionStage<Answer> ask(ScriptCall call, Replies replies, Duration patience) {
        long now = System.nanoTime();
        ScriptCommand command;
        StatefulRedisConnection<byte[], byte[]> way;
        synchronized (this) {
            way = connection;
            if (way == null) {
                return unsent(whyDown);
            }
            command = new ScriptCommand(this, call.over(run), replies, now, now + patience.toNanos());
            if (outstanding.size() >= limits.asks()) {
                return unsent(outstanding.size() + " asks wait already (expected: fewer than " + limits.asks() + ")");
            }
            if (!outstanding.isEmpty() && outstandingBytes + command.bytes() > limits.bytes()) {
                return unsent(outstandingBytes + " bytes wait already (expected: at most " + limits.bytes()
                        + " with this ask)");
            }
            add(command);
        }
        send(command, way);
        return command.answer();
    }

    private CompletionStage<Answer> unsent(String why) {
        return CompletableFuture.completedFuture(new Answer.Unsent(address + ": " + why));
    }

    /** Only for what the node has refused as unknown: it takes the place that it had. */
    void sendAgain(ScriptCommand command) {
        StatefulRedisConnection<byte[], byte[]> way;
        synchronized (this) {
            way = connection;
            if (way != null) {
                add(command);
            }
        }
        if (way == null) {
            command.answer().complete(new Answer.Unsent(address + ": connection lost"));
        } else {
            send(command, way);
        }
    }

    /** Goes in front of whatever is asked next. Whether it arrived is seen by that. */
    void load(Script script) {
        StatefulRedisConnection<byte[], byte[]> way;
        synchronized (this) {
            way = connection;
        }
        if (way != null) {
            var unused = way.async().scriptLoad(script.source().getBytes(UTF_8));
        }
    }

    /** After bytes that cannot be right, nothing tells where the next answer on this connection begins. */
    void distrust(String why) {
        StatefulRedisConnection<byte[], byte[]> way;
        synchronized (this) {
            way = connection;
        }
        if (way != null) {
            giveUp.accept(way, why);
        }
    }

    private void send(ScriptCommand command, StatefulRedisConnection<byte[], byte[]> way) {
        try {
            way.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
    }

    private void add(ScriptCommand command) {
        outstanding.add(command);
        outstandingBytes += command.bytes();
        if (!watching) {
            watching = true;
            watchLater();
        }
    }

    synchronized void done(ScriptCommand command) {
        if (outstanding.remove(command)) {
            outstandingBytes -= command.bytes();
        }
    }

    /** Runs only while something is outstanding. Whoever waits too long is told; the node's answer may still come. */
    private void watch() {
        long now = System.nanoTime();
        List<ScriptCommand> late = new ArrayList<>();
        StatefulRedisConnection<byte[], byte[]> silent = null;
        synchronized (this) {
            for (ScriptCommand command : outstanding) {
                if (command.isLate(now)) {
                    late.add(command);
                }
            }
            ScriptCommand oldest = outstanding.peek();
            if (oldest == null) {
                watching = false;
            } else {
                if (oldest.overdueNanos(now) > SILENCE.toNanos()) {
                    silent = connection;
                }
                watchLater();
            }
        }
        for (ScriptCommand command : late) {
            command.answer()
                    .complete(new Answer.Lost(address + ": no answer within " + command.ageMillis(now) + " ms"));
        }
        if (silent != null) {
            giveUp.accept(silent, "the node is silent");
        }
    }

    private void watchLater() {
        try {
            var unused = timer.schedule(this::watch, TICK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            watching = false; // closing: whoever still waits is told by down
        }
    }

    synchronized int waiting() {
        return outstanding.size();
    }
}
