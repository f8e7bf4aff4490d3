package dev.baton.authority.memory;

import dev.baton.authority.Authority;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One node's connection to a {@link MemoryEngine}, on which faults can be planted.
 *
 * <p>A listener that throws, or a fault plan that does, makes the call throw: both are defects of a test.
 */
public final class MemoryAuthority implements Authority {

    private final NodeId node;
    private final MemoryEngine engine;

    private final Object lock = new Object();
    private final Map<SeatId, MemorySeat> seats = new HashMap<>();
    private final List<MemoryWatch> watches = new ArrayList<>();
    private final Set<Runnable> underWay = new LinkedHashSet<>();
    private FaultPlan faults = FaultPlan.NONE;
    private boolean cut;
    private boolean closed;

    MemoryAuthority(NodeId node, MemoryEngine engine) {
        this.node = node;
        this.engine = engine;
    }

    @Override
    public String kind() {
        return "memory";
    }

    public NodeId node() {
        return node;
    }

    @Override
    public SeatAuthority seat(SeatId seat) {
        synchronized (lock) {
            return seats.computeIfAbsent(seat, id -> new MemorySeat(id, this, engine));
        }
    }

    /** From now on this plan decides what happens to each request. */
    public void faults(FaultPlan plan) {
        synchronized (lock) {
            faults = plan;
        }
    }

    /** Cuts the connection: every request is refused, and watchers hear nothing until {@link #heal()}. */
    public void cut() {
        synchronized (lock) {
            cut = true;
            watches.forEach(MemoryWatch::cut);
        }
    }

    public void heal() {
        synchronized (lock) {
            cut = false;
            watches.forEach(MemoryWatch::heal);
        }
        engine.tick();
    }

    @Override
    public void close() {
        List<MemoryWatch> left;
        List<Runnable> abandoned;
        synchronized (lock) {
            closed = true;
            left = List.copyOf(watches);
            abandoned = List.copyOf(underWay);
            underWay.clear();
        }
        left.forEach(MemoryWatch::close);
        abandoned.forEach(Runnable::run);
    }

    void add(MemoryWatch watch) {
        boolean tooLate;
        synchronized (lock) {
            tooLate = closed;
            watches.add(watch);
            if (cut) {
                watch.cut(); // it will hear that it missed the beginning
            }
        }
        if (tooLate) {
            watch.close();
        } else {
            engine.add(watch);
        }
    }

    void remove(MemoryWatch watch) {
        synchronized (lock) {
            watches.remove(watch);
        }
        engine.remove(watch);
    }

    /**
     * A call as the network sees it.
     *
     * @param unavailable the answer when nothing was sent
     * @param unknown the answer when nobody knows
     */
    record Request<R>(
            FaultPlan.Call call,
            SeatId seat,
            MemoryEngine.Step<R> step,
            Function<String, R> unavailable,
            Function<String, R> unknown) {}

    <R> CompletionStage<R> send(Request<R> request) {
        Exchange<R> exchange = new Exchange<>(request);
        Fault fault;
        synchronized (lock) {
            if (closed || cut) {
                fault = new Fault.Refuse();
            } else {
                fault = faults.on(request.call());
                underWay.add(exchange.abandon);
            }
        }
        switch (fault) {
            case Fault.None() -> exchange.answer(exchange.arrive(), Duration.ZERO);
            case Fault.Refuse() ->
                exchange.answer(
                        request.unavailable().apply(node + " cannot reach the engine: " + request.call()),
                        Duration.ZERO);
            case Fault.LoseRequest(Duration noticedAfter) ->
                exchange.answer(request.unknown().apply(request.call() + ": no reply"), noticedAfter);
            case Fault.LoseReply(Duration noticedAfter) -> {
                exchange.arrive();
                exchange.answer(request.unknown().apply(request.call() + ": no reply"), noticedAfter);
            }
            case Fault.Delay(Duration toEngine, Duration toCaller) ->
                engine.after(toEngine, () -> exchange.answer(exchange.arrive(), toCaller));
            case Fault.Duplicate(Duration after) -> {
                exchange.answer(exchange.arrive(), Duration.ZERO);
                engine.after(after, exchange::arrive);
            }
        }
        return exchange.reply.minimalCompletionStage();
    }

    /** A request on its way, and the reply that its caller waits for. */
    private final class Exchange<R> {

        private final Request<R> request;
        private final int sentAtStart = engine.starts();
        private final CompletableFuture<R> reply = new CompletableFuture<>();
        private final Runnable abandon;

        Exchange(Request<R> request) {
            this.request = request;
            this.abandon = () -> engine.tell(
                    () -> reply.complete(request.unknown().apply(request.call() + ": the connection was closed")));
        }

        R arrive() {
            return survived() ? engine.at(request.seat(), request.step()) : lostInRestart();
        }

        /** What was under way while the engine restarted is lost, request or reply. */
        private boolean survived() {
            return sentAtStart == engine.starts();
        }

        private R lostInRestart() {
            return request.unknown().apply(request.call() + ": the engine was restarted");
        }

        void answer(R outcome, Duration delay) {
            engine.after(delay, () -> {
                synchronized (lock) {
                    underWay.remove(abandon);
                }
                R heard = survived() ? outcome : lostInRestart();
                engine.tell(() -> reply.complete(heard));
            });
        }
    }
}
