package dev.baton.client;

import dev.baton.client.ClientSettings.PrefetchSettings;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns many single calls for tokens of a namespace into few requests.
 *
 * <p>Callers join a line without a lock. One thread at a time serves it: it takes everybody who waits, up to the largest
 * batch, and sends one request for all of them, as long as fewer than the allowed number of batches are under way. While
 * that many are, the line grows, so batches grow with the load by themselves. A batch serves only callers who joined
 * before it was sent: each of them gets a token that was reserved after it asked (INV-13). A caller who has given up is
 * passed over; tokens that nobody of the batch wants any more become gaps, or prefetched ones, but never go to somebody
 * who came later and relies on order.
 */
final class Batcher {

    private final String namespace;
    private final ClientSettings settings;
    private final Surroundings surroundings;
    private final Requests requests;
    private final Tellings tellings;
    private final OrderGuard guard;
    private final Counters counters;
    private final @Nullable Stock stock;
    private final long timeoutNanos;

    private final WaitingLine line = new WaitingLine();
    private final AtomicLong joined = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private final AtomicBoolean serving = new AtomicBoolean();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Set<Batch> underWay = ConcurrentHashMap.newKeySet();
    private volatile int largest; // shrinks if the namespace takes smaller counts only
    private volatile boolean closing;
    private volatile boolean closed;

    Batcher(
            String namespace,
            ClientSettings settings,
            Surroundings surroundings,
            Requests requests,
            Tellings tellings,
            OrderGuard guard,
            Counters counters) {
        this.namespace = namespace;
        this.settings = settings;
        this.surroundings = surroundings;
        this.requests = requests;
        this.tellings = tellings;
        this.guard = guard;
        this.counters = counters;
        this.timeoutNanos = settings.timeout().toNanos();
        this.largest = settings.maxBatch();
        PrefetchSettings prefetch = settings.prefetch();
        this.stock = prefetch.on()
                ? new Stock(prefetch, counters, surroundings.nanoClock().getAsLong())
                : null;
    }

    /** One token for one caller. */
    CompletableFuture<Long> next() {
        long now = surroundings.nanoClock().getAsLong();
        if (closing) {
            return CompletableFuture.failedFuture(clientClosed());
        }
        if (stock != null) {
            stock.wanted(1);
            long token = stock.take(now);
            if (stock.low()) {
                serveIfPossible();
            }
            if (token != 0) {
                counters.tokens.increment();
                return CompletableFuture.completedFuture(token);
            }
        }
        if (joined.getAndIncrement() - left.get() >= settings.maxWaiting()) {
            joined.getAndDecrement();
            return CompletableFuture.failedFuture(overloaded());
        }
        Waiter waiter = new Waiter(now + timeoutNanos);
        line.join(waiter);
        serveIfPossible();
        return waiter;
    }

    private TokenException clientClosed() {
        return new TokenException(namespace, Status.Code.CANCELLED, "this client is closed");
    }

    private TokenException overloaded() {
        return new TokenException(
                namespace,
                Status.Code.RESOURCE_EXHAUSTED,
                Optional.of(Refusal.OVERLOADED),
                settings.maxWaiting() + " callers wait already (expected: fewer; see maxWaiting)");
    }

    private TokenException outOfTime() {
        return new TokenException(
                namespace, Status.Code.DEADLINE_EXCEEDED, "no token within " + settings.timeout() + " (see timeout)");
    }

    private void serveIfPossible() {
        if (closed) {
            refuseAll(); // the one who closed may have looked before this caller joined
        } else if (inFlight.get() < settings.batchesInFlight()
                && !serving.get()
                && serving.compareAndSet(false, true)) {
            boolean begun = false;
            try {
                surroundings.worker().execute(this::serve);
                begun = true;
            } finally {
                if (!begun) {
                    serving.set(false);
                }
            }
        }
    }

    /**
     * Sends batches while there are callers and room; whoever runs this has set {@code serving}.
     *
     * <p>Nobody is told anything here: what callers attached to their futures may ask for a token and wait for it, and
     * nobody else could serve them meanwhile.
     */
    private void serve() {
        do {
            try {
                dropThoseOutOfTime();
                while (inFlight.get() < settings.batchesInFlight()) {
                    Batch batch = gather();
                    if (batch == null) {
                        break;
                    }
                    inFlight.incrementAndGet();
                    batch.send();
                }
            } finally {
                serving.set(false);
            }
        } while (workLeft() && inFlight.get() < settings.batchesInFlight() && serving.compareAndSet(false, true));
    }

    private boolean workLeft() {
        return line.first() != null || (stock != null && !closing && stock.low());
    }

    private @Nullable Batch gather() {
        List<Waiter> callers = new ArrayList<>();
        long gone = 0;
        int most = largest;
        while (callers.size() < most) {
            Waiter waiter = line.take();
            if (waiter == null) {
                break;
            }
            gone++;
            if (!waiter.isDone()) {
                callers.add(waiter);
            }
        }
        left.addAndGet(gone);
        long ahead = stock == null || closing ? 0 : stock.order(most - callers.size());
        if (callers.isEmpty() && ahead == 0) {
            return null;
        }
        return new Batch(callers, List.of(), ahead);
    }

    private void dropThoseOutOfTime() {
        long now = surroundings.nanoClock().getAsLong();
        List<Waiter> late = new ArrayList<>();
        Waiter first;
        while ((first = line.takeIf(one -> one.isDone() || one.deadlineNanos - now <= 0)) != null) {
            late.add(first);
        }
        tellOutOfTime(late);
        left.addAndGet(late.size());
    }

    private void tellOutOfTime(List<Waiter> late) {
        if (!late.isEmpty()) {
            tellings.soon(() -> counters.timedOut.add(late.stream()
                    .filter(caller -> caller.completeExceptionally(outOfTime()))
                    .count()));
        }
    }

    /** Looks after deadlines and the stock; called now and then, instead of a timer for each caller. */
    void review() {
        long now = surroundings.nanoClock().getAsLong();
        for (Batch batch : underWay) {
            batch.dropThoseOutOfTime(now);
        }
        if (stock != null) {
            stock.review(now);
        }
        if (serving.compareAndSet(false, true)) {
            serve();
        }
    }

    long waiting() {
        return joined.get() - left.get();
    }

    boolean idle() {
        return waiting() == 0 && inFlight.get() == 0;
    }

    /** New callers are refused from now on; those who wait are still served. */
    void beginClosing() {
        closing = true;
    }

    void close() {
        closed = true;
        refuseAll();
        if (stock != null) {
            stock.empty();
        }
    }

    private void refuseAll() {
        do {
            if (!serving.compareAndSet(false, true)) {
                return; // whoever serves sees the caller, and close waits for it
            }
            List<Waiter> refused = new ArrayList<>();
            try {
                for (Waiter waiter = line.take(); waiter != null; waiter = line.take()) {
                    refused.add(waiter);
                }
            } finally {
                serving.set(false);
            }
            if (!refused.isEmpty()) {
                tellings.soon(() -> refused.forEach(waiter -> waiter.completeExceptionally(clientClosed())));
                left.addAndGet(refused.size());
            }
        } while (line.first() != null);
    }

    /**
     * Callers who share one request.
     *
     * <p>A count may be refused that each caller by itself would be granted: it is above the namespace's limit, or above
     * what is left. Then half of the callers ask first and the rest follows if that went well, so that a hopeless batch
     * costs a few requests and not one for each caller. Nothing was reserved for the refused one.
     */
    private final class Batch implements Request.Outcome {
        private final List<Waiter> callers;
        private final List<Waiter> rest;
        private final long ahead;

        Batch(List<Waiter> callers, List<Waiter> rest, long ahead) {
            this.callers = callers;
            this.rest = rest;
            this.ahead = ahead;
        }

        void send() {
            underWay.add(this);
            long lastDeadlineNanos = callers.isEmpty()
                    ? surroundings.nanoClock().getAsLong() + timeoutNanos
                    : callers.getLast().deadlineNanos;
            try {
                requests.send(namespace, callers.size() + ahead, lastDeadlineNanos, guard, this);
            } catch (RuntimeException | Error e) {
                // nothing was sent; its place must not be lost, nor must its callers
                tellings.soon(() -> giveUp(new TokenException(namespace, Status.Code.INTERNAL, "cannot ask: " + e)));
            }
        }

        @Override
        public void answered(TokenRange range) {
            if (rest.isEmpty()) {
                makeRoom();
            } else {
                goOnWith(
                        rest, callers.size()); // now: what is attached to the futures below may wait for a token itself
            }
            long token = range.start();
            long given = 0;
            for (Waiter caller : callers) {
                if (caller.complete(token)) { // false: this caller gave up, the next one gets the token
                    token += range.step();
                    given++;
                }
            }
            counters.tokens.add(given);
            long spare = range.count() - given;
            if (stock != null && !closing) {
                stock.put(
                        token,
                        range.step(),
                        spare,
                        ahead,
                        surroundings.nanoClock().getAsLong());
                if (closing) {
                    stock.empty(); // whoever closes may have emptied it before
                }
            } else {
                counters.unused.add(spare);
            }
        }

        @Override
        public void failed(TokenException why) {
            if (stock != null && ahead > 0) {
                stock.cancel(ahead);
            }
            boolean tooMany = why.refusal().equals(Optional.of(Refusal.INVALID));
            if (tooMany) {
                largest = (int) Math.min(largest, Math.max(1, (callers.size() + ahead) / 2));
            }
            boolean divisible = tooMany || why.refusal().equals(Optional.of(Refusal.EXHAUSTED));
            if (divisible && callers.size() + ahead > 1 && !callers.isEmpty()) {
                int fewer = ahead > 0 ? callers.size() : callers.size() / 2;
                goOnWith(together(callers, rest), fewer);
                return;
            }
            giveUp(why);
        }

        private void giveUp(TokenException why) {
            makeRoom();
            together(callers, rest).forEach(caller -> caller.completeExceptionally(why));
        }

        /**
         * Lets the next batch go, before anybody is told: what callers attached to their futures may itself ask for a token
         * and wait for it.
         */
        private void makeRoom() {
            underWay.remove(this);
            inFlight.decrementAndGet();
            serveIfPossible();
        }

        /** Sends those who are left, at most {@code most} of them at once, in the place of this batch. */
        private void goOnWith(List<Waiter> waiting, int most) {
            List<Waiter> patient =
                    waiting.stream().filter(caller -> !caller.isDone()).toList();
            if (patient.isEmpty()) {
                makeRoom();
                return;
            }
            underWay.remove(this);
            int now = Math.min(Math.max(1, most), patient.size());
            new Batch(patient.subList(0, now), patient.subList(now, patient.size()), 0).send();
        }

        void dropThoseOutOfTime(long nowNanos) {
            tellOutOfTime(Stream.concat(callers.stream(), rest.stream())
                    .takeWhile(caller -> caller.deadlineNanos - nowNanos <= 0) // they stand in the order of deadlines
                    .filter(caller -> !caller.isDone())
                    .toList());
        }
    }

    private static List<Waiter> together(List<Waiter> callers, List<Waiter> rest) {
        return rest.isEmpty()
                ? callers
                : Stream.concat(callers.stream(), rest.stream()).toList();
    }
}
